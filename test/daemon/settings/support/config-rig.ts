import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  SessionConfigs,
  type SessionConfigPorts,
} from '../../../../electron/daemon/settings/session-config.ts';
import { formatRule } from '../../../../shared/domain/permissions/rules.ts';
import type { ConfiguredSession, SessionConfig } from '../../../../shared/domain/session-config.ts';
import { sha256 } from '../../../support/sim/sim-tools.ts';
import { DaemonRig } from '../../support/daemon-rig.ts';

/** A machine with an administrator's file, a person's home and a repository, all in one temporary folder. */
export class ConfigRig extends DaemonRig {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'kairos-config-')));
  readonly managedFile = join(this.root, 'etc', 'managed-settings.json');
  readonly home = join(this.root, 'person', '.kairos');
  readonly userFile = join(this.home, 'settings.json');
  readonly repo = join(this.root, 'person', 'repo');
  readonly configs: SessionConfigs;

  constructor(change: Partial<SessionConfigPorts> = {}) {
    super();
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
    for (const folder of [this.home, join(this.repo, '.git')]) mkdirSync(folder, { recursive: true });
    this.configs = new SessionConfigs({
      store: this.store,
      clock: this.clock,
      sha256,
      managedFile: this.managedFile,
      userFile: this.userFile,
      home: this.home,
      personHome: join(this.root, 'person'),
      ...change,
    });
  }

  /** Writes a file of the repository (or by an absolute path) and makes the folders that it lies in. */
  write(path: string, content: unknown): string {
    const at = path.startsWith('/') ? path : join(this.repo, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, typeof content === 'string' ? content : JSON.stringify(content));
    return at;
  }

  read(session: Partial<ConfiguredSession> = {}): Promise<SessionConfig> {
    return this.configs.read({ dir: this.repo, rules: null, sandbox: null, ...session });
  }

  /** A person trusts what the directory holds now, or refuses it. */
  async decide(dir: string, trusted = true): Promise<void> {
    const [found] = await this.configs.executables(dir);
    if (found?.dir !== dir) throw new Error(`${dir} has no executable configuration`);
    const by = { surface: 'viewers', principal: 'owner', at: 0 };
    await this.store.setTrust({ ...found, trusted, by });
  }
}

/** Rules as `source effect rule`, in their order. */
export function ruleLines({ rules }: SessionConfig): string[] {
  return rules.map((rule) => `${rule.source} ${rule.effect} ${formatRule(rule)}`);
}
