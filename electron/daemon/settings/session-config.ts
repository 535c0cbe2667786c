import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { assertNever } from '../../../shared/base/assert-never.ts';
import type { Clock, Sha256 } from '../../../shared/base/ports.ts';
import {
  closedConfigFile,
  type ConfigFile,
  type ConfigFileKind,
  emptyConfigFile,
  parseConfigFile,
  restrainedFile,
} from '../../../shared/domain/config-file.ts';
import { isInside } from '../../../shared/domain/permissions/self-protection.ts';
import { mergeConfig, type SourcedFile } from '../../../shared/domain/merge-config.ts';
import type {
  ConfiguredSession,
  HeldConfig,
  ReadSessionConfig,
  SessionConfig,
  UntrustedConfig,
} from '../../../shared/domain/session-config.ts';
import { ConfigReader, type ConfigText } from './config-reader.ts';
import { type HookFile, HookFiles, hookScripts } from './hook-files.ts';
import { type JudgedOwn, OwnSettings, type OwnSettingsPorts } from './own-settings.ts';
import { projectDirs } from './project-dirs.ts';
import { type Executable, executableConfig, type ProjectFiles } from './trust-text.ts';

/** Where settings are, and what decides whether those of a project hold. */
export interface SessionConfigPorts {
  readonly store: OwnSettingsPorts['store'];
  readonly clock: Clock;
  readonly sha256: Sha256;
  /** Absolute path of the administrator's file; it need not exist. */
  readonly managedFile: string;
  readonly userFile: string;
  /** Real path of Kairos's own home, whose settings are no project's. */
  readonly home: string;
  /** The person's home directory. */
  readonly personHome: string;
  /** How long a project's files may take to be read; default 5 s. */
  readonly limitMs?: number;
}

/** The settings of one project directory. `closed`: what denies in it cannot be known. */
interface Level extends ProjectFiles {
  readonly dir: string;
  readonly closed: boolean;
  readonly notices: readonly string[];
}

const defaultLimitMs = 5_000;
/** Reads that hang at once (each holds a thread of four) until no other project is looked at. */
const mostHanging = 3;
/** What is longer nobody reads before trusting it. */
const mostShown = 64 * 1024;

/** Reads settings of every source as they are now; what did not change is not read again. */
export class SessionConfigs {
  readonly #ports: SessionConfigPorts;
  readonly #reader = new ConfigReader();
  readonly #hookFiles = new HookFiles();
  readonly #parsed = new WeakMap<ConfigText, ConfigFile>();
  /** Reads that took too long and have not come back, by directory. */
  readonly #hanging = new Set<string>();

  /** Whether changes of the person's own file hold: told of everything that could have written it. */
  readonly own: OwnSettings;

  constructor(ports: SessionConfigPorts) {
    this.#ports = ports;
    this.own = new OwnSettings(ports);
  }

  /** What holds for a session now; never rejects. */
  readonly read: ReadSessionConfig = async (session) => {
    const [files, levels] = await Promise.all([this.#ownFiles(), this.#levelsInTime(session.dir)]);
    const known = await Promise.all(levels.map((level) => this.#judged(level)));
    const config = merged({ ...files, known, session, ports: this.#ports });
    return withHookFiles(config, await this.#filesOf(config, session.dir, levels), session.dir);
  };

  /** Files that the hooks which hold here name, as named and where they really are. */
  async #filesOf(
    { hooks }: SessionConfig,
    session: string,
    levels: readonly Level[],
  ): Promise<readonly string[]> {
    const top = levels.at(-1)?.dir ?? session;
    const found: string[] = [];
    for (const { dir, hooks: section } of hooks) {
      const places = { project: dir ?? session, session, top, home: this.#ports.personHome };
      found.push(...hookScripts([section], places));
      // A disk that hangs is not looked at again.
      if (this.#hanging.has(session)) continue;
      for (const { path, real } of await this.#hookFiles.found([section], places)) found.push(path, real);
    }
    return [...new Set(found)];
  }

  /** What holds in every session, whatever its directory holds. */
  async common(): Promise<SessionConfig> {
    const session = { dir: this.#ports.home, rules: null, sandbox: null };
    return merged({ ...(await this.#ownFiles()), known: [], session, ports: this.#ports });
  }

  /**
   * The executable configuration of a directory and of those whose settings hold in it, nearest first, whatever was said about it;
   * last what is held of the person's own file.
   */
  async executables(
    dir: string,
  ): Promise<readonly (Executable & Pick<UntrustedConfig, 'dir'> & Partial<HeldConfig>)[]> {
    const [{ user }, levels] = await Promise.all([this.#ownFiles(), this.#levelsInTime(dir)]);
    const found = levels.flatMap((level) => {
      const own = level.closed ? null : executableConfig(level, this.#ports.sha256);
      return own === null || own.config.length > mostShown ? [] : [{ ...own, dir: level.dir }];
    });
    return user.held === null ? found : [...found, user.held];
  }

  async #ownFiles(): Promise<{ readonly managed: ConfigFile; readonly user: JudgedOwn }> {
    const { managedFile, userFile } = this.#ports;
    const mark = await this.own.mark();
    const [managed, user] = await Promise.all([
      this.#file(managedFile, null, 'managed', managedFile),
      this.#file(userFile, null, 'user', 'settings.json'),
    ]);
    return { managed, user: await this.own.judge(user, mark) };
  }

  async #file(path: string, within: string | null, kind: ConfigFileKind, name: string): Promise<ConfigFile> {
    const text = await this.#reader.read(path, within);
    const known = this.#parsed.get(text);
    if (known) return known;
    const file = fileOf(text, kind, name);
    this.#parsed.set(text, file);
    return file;
  }

  /** A network disk that is gone must not hold up anything: what cannot be read in time makes everything ask. */
  async #levelsInTime(dir: string): Promise<readonly Level[]> {
    if (this.#hanging.has(dir) || this.#hanging.size >= mostHanging) return [unreadable(dir)];
    const reading = this.#levels(dir);
    const { clock, limitMs = defaultLimitMs } = this.#ports;
    return new Promise((resolve) => {
      const cancel = clock.after(
        limitMs,
        () => {
          this.#hanging.add(dir);
          void reading.finally(() => this.#hanging.delete(dir));
          resolve([unreadable(dir)]);
        },
        { keepAlive: false },
      );
      void reading.then((levels) => {
        cancel();
        resolve(levels);
      });
    });
  }

  /** One directory after the other: a disk that hangs takes one thread, not all. */
  async #levels(dir: string): Promise<readonly Level[]> {
    const dirs = await projectDirs(dir, this.#ports.personHome);
    const top = dirs.at(-1) ?? dir;
    const levels: Level[] = [];
    for (const at of dirs) levels.push(await this.#level(at, { session: dirs[0] ?? dir, top }));
    return levels;
  }

  async #level(dir: string, { session, top }: { session: string; top: string }): Promise<Level> {
    const folder = join(dir, '.kairos');
    const isHome = (await realpath(folder).catch(() => folder)) === this.#ports.home;
    const at = (name: string): string => join(folder, name);
    const read = (name: string): Promise<ConfigFile> =>
      isHome ? Promise.resolve(emptyConfigFile) : this.#file(at(name), top, 'project', at(name));
    const project = await read('settings.json');
    const local = await read('settings.local.json');
    const mcpFile = join(dir, '.mcp.json');
    const mcp = await this.#reader.read(mcpFile, top);
    const places = { project: dir, session, top, home: this.#ports.personHome };
    return {
      dir,
      project,
      local,
      scripts: (await this.#hookFiles.found([project.hooks, local.hooks], places)).map(scriptFrom(top)),
      mcp: mcp.kind === 'text' ? mcp.text : null,
      closed: project.closed || local.closed,
      notices: mcp.kind === 'refused' ? [`${mcpFile} ${mcp.why}: ignored.`] : [],
    };
  }

  /** What of a directory holds: all of it where it is trusted as it is, else what denies, asks and shuts in. */
  async #judged(level: Level): Promise<JudgedLevel> {
    const restrained = {
      ...level,
      project: restrainedFile(level.project),
      local: restrainedFile(level.local),
    };
    const found = level.closed ? null : executableConfig(level, this.#ports.sha256);
    if (found === null) return { level: restrained, untrusted: null };
    // A store that cannot be read is no reason to trust, nor to ask.
    const word = await this.#ports.store.trust(level.dir).catch(() => 'unknown' as const);
    if (word === 'unknown') return { level: restrained, untrusted: null };
    if (word?.digest === found.digest) return { level: word.trusted ? level : restrained, untrusted: null };
    if (found.config.length <= mostShown)
      return { level: restrained, untrusted: { dir: level.dir, ...found } };
    const notice = `The configuration in ${level.dir} is too long to be read and trusted: its allow rules, hooks and variables do not hold.`;
    return { level: { ...restrained, notices: [...level.notices, notice] }, untrusted: null };
  }
}

interface JudgedLevel {
  readonly level: Level;
  readonly untrusted: UntrustedConfig | null;
}

function fileOf(text: ConfigText, kind: ConfigFileKind, name: string): ConfigFile {
  switch (text.kind) {
    case 'absent':
      return emptyConfigFile;
    case 'refused':
      return closedConfigFile(name, text.why);
    case 'text':
      return parseConfigFile(text.text, kind, name);
    default:
      return assertNever(text, 'text of a settings file');
  }
}

function unreadable(dir: string): Level {
  const project = closedConfigFile(join(dir, '.kairos', 'settings.json'), 'cannot be read in time');
  return { dir, project, local: emptyConfigFile, mcp: null, scripts: [], closed: true, notices: [] };
}

/** As people know it: by its path from the root of the repository. */
function scriptFrom(top: string): (file: HookFile) => ProjectFiles['scripts'][number] {
  return ({ path, content, isRead }) => ({ path: relative(top, path), content, isRead });
}

function withHookFiles(config: SessionConfig, hookFiles: readonly string[], dir: string): SessionConfig {
  if (hookFiles.length === 0) return config;
  const readOnly = hookFiles.filter((path) => path !== dir && isInside(path, dir));
  return { ...config, hookFiles, sandbox: { ...config.sandbox, readOnly } };
}

function askedOf({ held }: JudgedOwn): HeldConfig | null {
  return held === null || held.isDecided || held.config.length > mostShown ? null : held;
}

interface Found {
  readonly managed: ConfigFile;
  readonly user: JudgedOwn;
  readonly known: readonly JudgedLevel[];
  readonly session: ConfiguredSession;
  readonly ports: Pick<SessionConfigPorts, 'managedFile' | 'userFile'>;
}

function merged({ managed, user, known, session, ports }: Found): SessionConfig {
  const levels = known.map(({ level }) => level);
  const ofLevels = (source: 'project' | 'project_local', name: string): SourcedFile[] =>
    levels.map((level) => ({
      source,
      path: join(level.dir, '.kairos', name),
      name: join(level.dir, '.kairos', name),
      dir: level.dir,
      file: source === 'project' ? level.project : level.local,
    }));
  const config = mergeConfig({
    files: [
      { source: 'managed', path: ports.managedFile, name: ports.managedFile, dir: null, file: managed },
      ...ofLevels('project_local', 'settings.local.json'),
      ...ofLevels('project', 'settings.json'),
      { source: 'settings', path: ports.userFile, name: 'settings.json', dir: null, file: user.file },
    ],
    session,
    untrusted: [...known.map(({ untrusted }) => untrusted), askedOf(user)].filter((each) => each !== null),
  });
  const held = user.held === null ? {} : { held: user.held };

  const more = levels.flatMap(({ dir, notices }) => notices.map((notice) => ({ path: dir, notice })));
  return { ...config, ...held, notices: [...config.notices, ...more] };
}
