import { basename } from 'node:path';
import { errorMessage } from '../../../shared/base/errors.ts';
import type { Log } from '../../../shared/base/ports.ts';
import { oneLine, visibleText } from '../../../shared/base/visible-text.ts';
import { hookRules } from '../../../shared/domain/hooks/rules.ts';
import { formatRule, ruleForms } from '../../../shared/domain/permissions/rules.ts';
import { trustRisks } from '../../../shared/domain/permissions/trust-risks.ts';
import type { ProblemPort } from '../../../shared/domain/problems.ts';
import type {
  ConfiguredSession,
  HeldConfig,
  ReadSessionConfig,
  SessionConfig,
  UntrustedConfig,
} from '../../../shared/domain/session-config.ts';
import { maskLiteralSecrets } from '../../node/mask-secrets.ts';
import type { Store } from '../events/port.ts';
import { trustPreview } from './trust-text.ts';

/** What the watch works with. */
export interface ConfigWatchPorts {
  readonly store: Pick<Store, 'trust' | 'askTrust'>;
  readonly log: Log;
  readonly problems: ProblemPort;
  readonly read: ReadSessionConfig;
  /** How long a question about trust stays open. */
  readonly promptLifeMs: number;
  /** Files whose notices were told at the start already. */
  readonly toldBefore?: ReadonlySet<string>;
}

/** Directories that are looked at once more when somebody asks how things are. */
const mostSessions = 50;

/** A session that works; its id names where a question about trust is shown. */
export type WorkingSession = ConfiguredSession & { readonly id: string };

/** Reads what holds for working sessions, tells what is wrong with it, and asks about what nobody has decided on. */
export class ConfigWatch {
  readonly #ports: ConfigWatchPorts;
  /** Codes of problems by what told them (a directory). */
  readonly #told = new Map<string, ReadonlySet<string>>();
  /** Sessions that worked last, one for each directory. */
  readonly #sessions = new Map<string, ConfiguredSession>();
  /** Questions that are being opened, by directory and digest. */
  readonly #asking = new Set<string>();
  /** Allow rules and hooks of the person's file as they were read last; null: not yet. */
  #allowed: ReadonlySet<string> | null = null;
  /** Digest of what does not hold of the person's file. */
  #held: string | null = null;

  constructor(ports: ConfigWatchPorts) {
    this.#ports = ports;
  }

  /** What holds for the session now. Never rejects; a question is opened beside it and is not waited for. */
  readonly configOf = async (session: WorkingSession): Promise<SessionConfig> => {
    const config = await this.#ports.read(session);
    const { dir, rules, sandbox } = session;
    this.#sessions.delete(dir);
    this.#sessions.set(dir, { dir, rules, sandbox });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > mostSessions && oldest !== undefined) this.#sessions.delete(oldest);
    this.#tell(session.dir, config);
    this.#noteLoosened(config);
    this.#tellHeld(config);
    for (const untrusted of config.untrusted) void this.#ask(session.id, untrusted);
    return config;
  };

  /** Reads the settings of the sessions that worked last once more, and tells of them what is so now. */
  async recheck(): Promise<void> {
    await Promise.all(
      [...this.#sessions].map(async ([dir, session]) => this.#tell(dir, await this.#ports.read(session))),
    );
  }

  /** Tells what is wrong with the settings that hold everywhere, before any session works. */
  tellCommon(config: SessionConfig): void {
    this.#tell('', config);
    this.#noteLoosened(config);
    this.#tellHeld(config);
  }

  /** What of the person's file does not hold, in the log once and as a problem while it is so. */
  #tellHeld({ held }: SessionConfig): void {
    const { log, problems } = this.#ports;
    const digest = held?.digest ?? null;
    if (digest === this.#held) return;
    this.#held = digest;
    if (held === undefined) return problems.clear('settings_held');
    log.warn(
      { home: held.dir, changes: trustPreview(held.config, held.before).split('\n') },
      'settings.json was changed while something of the agent ran outside the sandbox: what lets more run does not hold until the owner trusts it',
    );
    problems.set(
      'settings_held',
      'settings.json was changed while something of the agent ran outside the sandbox: what lets more run in it does not hold.',
      `See it, and trust it if it is yours: kairos trust ${held.dir}`,
    );
  }

  /** Whoever wrote it into the person's file while Kairos runs: what runs unasked since then stands in the log. */
  #noteLoosened({ rules, hooks, projectHooksAllow }: SessionConfig): void {
    const own = rules.filter(({ source, effect }) => source === 'settings' && effect === 'allow');
    const commands = hookRules(hooks, projectHooksAllow).filter(({ source }) => source === 'settings');
    const now = [
      ...own.map((rule) => `allow ${formatRule(rule)}`),
      ...commands.map(({ event, command }) => `hook ${event}: ${command}`),
    ];
    const added = this.#allowed === null ? [] : now.filter((text) => this.#allowed?.has(text) !== true);
    this.#allowed = new Set(now);
    if (added.length === 0) return;
    const what = added.map((text) => maskLiteralSecrets(visibleText(text)));
    this.#ports.log.warn({ added: what }, 'settings.json lets more run than before');
  }

  #tell(place: string, { notices, ruleNotices }: SessionConfig): void {
    const { problems, toldBefore } = this.#ports;
    const codes = new Set<string>();
    const set = (...texts: [code: string, message: string, next: string]): void => {
      const [code = '', message = '', next = ''] = texts.map((text) => maskLiteralSecrets(visibleText(text)));
      codes.add(code);
      problems.set(code, message, next);
    };
    for (const { file, text, notice } of ruleNotices)
      set(`rule:${file}:${text}`, notice, `Change permissions in ${file}. ${ruleForms}`);
    for (const { path, notice } of notices)
      if (toldBefore?.has(path) !== true)
        set(`config:${path}:${notice}`, notice, `Correct ${path}; it is read again at once.`);
    // What was told at the start stands in every reading since.
    const before = [...(this.#told.get(place) ?? []), ...(this.#told.get('') ?? [])];
    this.#told.delete('');
    if (codes.size > 0) this.#told.set(place, codes);
    else this.#told.delete(place);
    const elsewhere = new Set([...this.#told.values()].flatMap((told) => [...told]));
    for (const code of before) if (!elsewhere.has(code)) problems.clear(code);
  }

  async #ask(session: string, untrusted: UntrustedConfig | HeldConfig): Promise<void> {
    const { dir, digest, config } = untrusted;
    const { store, log, promptLifeMs: lifeMs } = this.#ports;
    const key = `${digest} ${dir}`;
    if (this.#asking.has(key)) return;
    this.#asking.add(key);
    try {
      const word = 'before' in untrusted ? null : await store.trust(dir);
      const before = 'before' in untrusted ? untrusted.before : (word?.config ?? null);
      const preview = trustPreview(config, before);
      const headline = 'before' in untrusted ? heldHeadline(dir) : trustHeadline(dir, before !== null);
      const risks = trustRisks(config).map((risk) => maskLiteralSecrets(risk));
      await store.askTrust({ session, dir, digest, headline, preview, risks, lifeMs });
    } catch (error) {
      log.warn({ dir, error: errorMessage(error) }, 'trust could not be asked for; asked with the next call');
    } finally {
      this.#asking.delete(key);
    }
  }
}

function heldHeadline(home: string): string {
  const changed = 'It was changed while something of the agent ran outside the sandbox';
  return oneLine(`Let the changed settings.json hold? ${changed} (${home})`, 200);
}

/** Built by us from the directory; what it holds is in the preview. */
function trustHeadline(dir: string, changed: boolean): string {
  const what = changed
    ? 'changed rules, hooks (or files that they name) or variables'
    : 'rules, hooks or variables of its own';
  return oneLine(`Trust "${basename(dir)}"? It brings ${what} (${dir})`, 200);
}
