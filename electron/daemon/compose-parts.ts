import { mkdir, realpath, stat, access, constants } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { KairosError, errorCode, errorMessage } from '../../shared/base/errors.ts';
import type { Log, Sha256 } from '../../shared/base/ports.ts';
import type { EnvSection } from '../../shared/domain/session-config.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import type { WebSearch } from '../../shared/domain/web-search.ts';
import { isInside } from '../../shared/domain/permissions/self-protection.ts';
import type { Home } from '../node/home.ts';
import { buildsBrief } from '../node/build-flags.ts';
import { type Environment } from '../node/environment-text.ts';
import { type LoginEnvironment, readLoginEnvironment } from '../node/login-environment.ts';
import { findPeerProcess, isOffspring, type PeerPorts } from '../node/peer-process.ts';
import { systemClock } from '../node/clock.ts';
import { createSystemIds } from '../node/ids.ts';
import { toolEnvironment } from '../node/tool-environment.ts';
import type { CorePorts } from './compose.ts';

/** Lower-case hex SHA-256. */
export const sha256: Sha256 = (data) => createHash('sha256').update(data).digest('hex');

/** The variable that marks every process below this daemon (boot sweep, peer check). */
export const runMarker = 'KAIROS_RUN';

/** The real path of an existing directory that Kairos may work in. Rejects with `bad_dir`. */
export async function checkDir(dir: string, home: string): Promise<string> {
  const next = 'Name an existing directory with --dir.';
  try {
    const real = await realpath(dir);
    if (!(await stat(real)).isDirectory())
      throw new KairosError('bad_dir', `"${dir}" is not a directory.`, { next });
    await access(real, constants.R_OK | constants.X_OK);
    if (isInside(real, home))
      throw new KairosError('bad_dir', `"${dir}" is Kairos's own home: no session works there.`, { next });
    return real;
  } catch (error) {
    if (error instanceof KairosError) throw error;
    const why = errorCode(error) === 'ENOENT' ? 'does not exist' : `cannot be used (${errorCode(error)})`;
    throw new KairosError('bad_dir', `The directory "${dir}" ${why}.`, { next, cause: error });
  }
}

/** Makes a session's scratch folder; its path. */
export async function makeScratch(home: Home, session: string): Promise<string> {
  const folder = join(home.scratchDir, session);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** The login shell's environment, read once in the background and then kept. */
export function loginEnvironmentOnce(log: Log): () => Promise<LoginEnvironment> {
  const ids = createSystemIds(systemClock);
  const reading = readLoginEnvironment({ env: process.env, clock: systemClock, ids });
  void reading.then(({ source, shell, reason }) =>
    log.info({ source, shell, reason }, 'login environment read'),
  );
  return () => reading;
}

/** What tools get of it (design 7). */
export async function toolVariables(
  login: Promise<LoginEnvironment>,
  run: string,
  { pass, set }: EnvSection,
): Promise<Environment> {
  const { [runMarker]: mark, ...own } = toolEnvironment({ login: (await login).env, run, pass });
  return { ...own, ...set, ...(mark === undefined ? {} : { [runMarker]: mark }) };
}

/** What build, settings and environment switch on. */
export function switchesOf(
  settings: Pick<Settings, 'web'>,
  env: Readonly<Record<string, string | undefined>>,
): Pick<CorePorts, 'brief' | 'webSearch'> {
  const brief = { built: buildsBrief, forced: env.KAIROS_BRIEF === '1' };
  return { brief, webSearch: webSearchOf(settings.web, env) };
}

/** Where searches of the web go; a key comes from the variable that the settings name, as keys of models do. */
function webSearchOf(
  { search, nativeSearch }: Settings['web'],
  env: Readonly<Record<string, string | undefined>>,
): WebSearch {
  const native = nativeSearch ?? null;
  if (search === undefined) return { native, endpoint: null };
  const { url, keyEnv, keyHeader, shape } = search;
  const key = keyEnv === undefined ? null : (env[keyEnv] ?? null);
  return { native, endpoint: { url, key, keyHeader: keyHeader ?? null, shape } };
}

/** Whether the process at the other end may ask, or one phrase why not. */
export type PeerAnswer = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Refuses verdicts and settings from processes below our workers (design 30); `roots` = their pids now. */
export function peerCheck(
  roots: () => readonly number[],
  mark: string,
): (ports: PeerPorts) => Promise<PeerAnswer> {
  return async (ports) => {
    const peer = await findPeerProcess(ports);
    if (peer.kind === 'unknown') {
      if (process.platform === 'win32') return { ok: true };
      return { ok: false, reason: `It cannot be told which program asks: ${peer.reason}.` };
    }
    const offspring = await isOffspring(peer.pid, { roots: new Set(roots()), marker: runMarker, mark });
    return offspring
      ? { ok: false, reason: 'Programs that the agent started may not decide this.' }
      : { ok: true };
  };
}

/** Texts that make a command ask in every mode: the home as people write it, and the port once known. */
export function selfWords(home: string, port: () => number | null): { readonly words: readonly string[] } {
  const person = homedir();
  const short = home.startsWith(`${person}/`)
    ? [`~${home.slice(person.length)}`, `$HOME${home.slice(person.length)}`]
    : [];
  // Named from the folder above it, a home is only its own name; short names would make every command ask.
  const name = basename(home);
  const ownName = name.length >= 4 ? [name] : [];
  return {
    get words() {
      const known = port();
      return [home, ...short, ...ownName, ...(known === null ? [] : [String(known)])];
    },
  };
}

/** One sentence with what to do, for stderr and the supervisor. */
export function failureText(error: unknown): string {
  const next = error instanceof KairosError && error.next ? ` ${error.next}` : '';
  return `${errorMessage(error)}${next}`;
}
