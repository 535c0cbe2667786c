import { accessSync, chmodSync, constants, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { KairosError } from '../../shared/base/errors.ts';
import { whatInsteadOfFile } from './regular-file.ts';

/** Why a state directory cannot be used. */
export type HomeErrorCode =
  | 'home-path-relative'
  | 'home-path-too-long'
  | 'home-not-a-directory'
  | 'home-not-ours'
  | 'home-open-to-others'
  | 'home-not-writable'
  | 'home-cannot-be-created'
  | 'home-entry-misplaced';

/** A state directory that cannot be used; `next` says what to do. */
export class HomeError extends KairosError {
  declare readonly code: HomeErrorCode;

  constructor(code: HomeErrorCode, message: string, next: string, cause?: unknown) {
    super(code, message, { cause, next });
    this.name = 'HomeError';
  }
}

/** Where everything of one state directory lives; absolute paths. */
export interface Home {
  readonly home: string;
  readonly lockDb: string;
  readonly storeDb: string;
  /** How far the store had come, beside the database. */
  readonly storeMark: string;
  readonly searchDb: string;
  /** Where the running daemon says its pid, start time, url and token. */
  readonly daemonFile: string;
  readonly supervisorFile: string;
  readonly settingsFile: string;
  readonly logsDir: string;
  readonly blobsDir: string;
  readonly scratchDir: string;
  /** Large frames between daemon and workers, each for a moment; a folder per worker. */
  readonly parcelsDir: string;
  readonly secretsDir: string;
}

/** SQLite takes paths of 512 bytes; the longest name below the home is that of a store that is being restored. */
const longestPath = 460;

/** Absolute path of the state directory: KAIROS_HOME, else `~/.kairos`. Throws HomeError for a relative one: each folder would have its own state. */
export function homePath(env: Readonly<Record<string, string | undefined>>): string {
  const named = env.KAIROS_HOME;
  if (named === undefined || named === '') return join(homedir(), '.kairos');
  if (isAbsolute(named)) return resolve(named);
  const message = `KAIROS_HOME is "${named}", which would be another place in every folder.`;
  const next = `Set it to an absolute path, such as ${resolve(named)}`;
  throw new HomeError('home-path-relative', message, next);
}

/** The paths below a state directory, without looking at the disk. */
export function homeLayout(home: string): Home {
  return {
    home,
    lockDb: join(home, 'lock.db'),
    storeDb: join(home, 'store.db'),
    storeMark: join(home, 'store.mark'),
    searchDb: join(home, 'search.db'),
    daemonFile: join(home, 'daemon.json'),
    supervisorFile: join(home, 'supervisor.json'),
    settingsFile: join(home, 'settings.json'),
    logsDir: join(home, 'logs'),
    blobsDir: join(home, 'blobs'),
    scratchDir: join(home, 'scratch'),
    parcelsDir: join(home, 'parcels'),
    secretsDir: join(home, 'secrets'),
  };
}

/** Not `recursive`: Node 24 never returns from that where the system answers ENOENT below a parent that exists (/proc). */
function makeDirectories(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(path) !== path) makeDirectories(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function createDirectory(home: string): void {
  try {
    makeDirectories(home);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      const message = `The state directory "${home}" is a file or lies below one.`;
      throw new HomeError('home-not-a-directory', message, 'Move the file or set KAIROS_HOME.', cause);
    }
    if (code === 'ENAMETOOLONG') throw tooLong(home, cause);
    const message = `The state directory "${home}" cannot be created (${code}).`;
    const next = 'Create it yourself with mode 700, or set KAIROS_HOME to a place that you may write to.';
    throw new HomeError('home-cannot-be-created', message, next, cause);
  }
}

function tooLong(home: string, cause?: unknown): HomeError {
  const bytes = Buffer.byteLength(home);
  const message = `The path of the state directory is too long (${bytes} bytes, at most ${longestPath}; links count as where they lead).`;
  return new HomeError('home-path-too-long', message, 'Set KAIROS_HOME to a shorter path.', cause);
}

/** A directory that was empty or ours before may be closed to others; a shared one (a typing error) may not. */
function mayBeClosed(home: string): boolean {
  const names = readdirSync(home);
  return names.length === 0 || names.includes('lock.db') || names.includes('daemon.json');
}

function checkOwner(home: string): void {
  // Windows: the profile's access list guards the directory, there is no mode.
  if (process.getuid === undefined) return;
  const { uid, mode } = statSync(home);
  if (uid !== process.getuid()) {
    const message = `The state directory "${home}" belongs to another user (uid ${uid}).`;
    throw new HomeError('home-not-ours', message, 'Set KAIROS_HOME to a directory of your own.');
  }
  if ((mode & 0o077) === 0) return;
  if (mayBeClosed(home)) {
    chmodSync(home, 0o700);
    return;
  }
  const message = `The directory "${home}" can be read by others and holds files that are not ours.`;
  throw new HomeError('home-open-to-others', message, `Run: chmod 700 "${home}", or set KAIROS_HOME.`);
}

function checkWritable(home: string): void {
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const folder of foldersOf(home)) makeDirectories(folder);
  } catch (cause) {
    const message = `The state directory "${home}" cannot be written to (${(cause as NodeJS.ErrnoException).code}).`;
    const next = 'Give yourself write access, free space on the disk, or set KAIROS_HOME.';
    throw new HomeError('home-not-writable', message, next, cause);
  }
}

/**
 * One sentence on an entry of a home that is not what it has to be, null when all are: opening a named pipe, a device or a
 * directory as a file would hang or fail far from here. Settings are read without them if need be.
 */
export function misplacedEntry(home: string): string | null {
  const { lockDb, storeDb, storeMark, searchDb, daemonFile, supervisorFile } = homeLayout(home);
  const databases = [lockDb, storeDb, searchDb].flatMap((path) =>
    ['', '-wal', '-shm', '-journal'].map((end) => path + end),
  );
  for (const path of [...databases, storeMark, daemonFile, supervisorFile]) {
    const instead = whatInsteadOfFile(path);
    if (instead !== undefined) return `"${path}" is ${instead}, not a file.`;
  }
  const file = foldersOf(home).find(
    (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === false,
  );
  return file === undefined ? null : `"${file}" is not a folder.`;
}

function foldersOf(home: string): string[] {
  const { logsDir, blobsDir, scratchDir, parcelsDir, secretsDir } = homeLayout(home);
  return [logsDir, blobsDir, scratchDir, parcelsDir, secretsDir];
}

function checkEntries(home: string): void {
  const misplaced = misplacedEntry(home);
  if (misplaced === null) return;
  throw new HomeError('home-entry-misplaced', misplaced, 'Move it away, then start again.');
}

/**
 * Makes the state directory usable: sets umask 077 for this process first, creates what is missing (0700), closes it to
 * others where it is ours, and checks it. Synchronous, once per process. Throws HomeError.
 */
export function openHome(env: Readonly<Record<string, string | undefined>>): Home {
  process.umask(0o077);
  const home = homePath(env);
  if (Buffer.byteLength(home) > longestPath) throw tooLong(home);
  createDirectory(home);
  // SQLite follows links before it counts.
  if (Buffer.byteLength(realpathSync(home)) > longestPath) throw tooLong(home);
  checkOwner(home);
  checkEntries(home);
  checkWritable(home);
  return homeLayout(home);
}
