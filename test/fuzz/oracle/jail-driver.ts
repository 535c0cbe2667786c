// Runs inside the jail: one command after the other, each in a fresh copy of the session directory. A missing file named
// after the command's number is looked up before each, so that the trace says where it begins.
import { spawnSync } from 'node:child_process';
import {
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  type Stats,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { markerPath } from './marker-path.ts';

interface Batch {
  readonly commands: readonly string[];
  readonly work: string;
  readonly fresh: string;
  readonly env: Record<string, string>;
  readonly timeoutMs: number;
  /** As the product starts it. */
  readonly shell: { readonly path: string; readonly options: readonly string[] };
}

const restMs = 250;
const still = new Int32Array(new SharedArrayBuffer(4));
const batch = JSON.parse(readFileSync('/jobs.json', 'utf8')) as Batch;
const clean = new Map<string, string>();
let topTimes = '';
for (const [index, command] of batch.commands.entries()) {
  if (hasChanged()) restore('');
  mark(index);
  spawnSync(batch.shell.path, [...batch.shell.options, '-c', command], {
    cwd: batch.work,
    env: batch.env,
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: batch.timeoutMs,
    killSignal: 'SIGKILL',
  });
  letRest();
  mark(-1);
  endAll();
}
mark(batch.commands.length);

function mark(index: number): void {
  try {
    openSync(`${markerPath}${index}`, 'r');
  } catch {
    // It is never there: only that it was looked up counts.
  }
}

/** What the command left running in the background gets a moment to do what it was made for. */
function letRest(): void {
  for (let waitedMs = 0; waitedMs < restMs && othersRun(); waitedMs += 5) Atomics.wait(still, 0, 0, 5);
}

function othersRun(): boolean {
  try {
    return process.kill(-1, 0);
  } catch {
    return false;
  }
}

/** Everything but this process, and what traces it, which leads the process namespace and cannot be ended from inside. */
function endAll(): void {
  try {
    process.kill(-1, 'SIGKILL');
  } catch {
    // Nothing was left.
  }
}

/** Brings a folder back to what it was at first; copies only what differs, because every file costs time under the tracer. */
function restore(folder: string): void {
  const wanted = readdirSync(join(batch.fresh, folder));
  for (const name of readdirSync(join(batch.work, folder)))
    if (!isSame(join(folder, name)) || !wanted.includes(name)) remove(join(folder, name));
  for (const name of wanted) bringBack(join(folder, name));
  if (folder === '') topTimes = timesOf('');
}

/** Folders are kept and looked into. */
function isSame(path: string): boolean {
  return clean.has(path) && (clean.get(path) === stateOf(path) || isFolder(path));
}

function remove(path: string): void {
  rmSync(join(batch.work, path), { recursive: true, force: true });
  for (const known of clean.keys()) if (known === path || known.startsWith(`${path}/`)) clean.delete(known);
}

function bringBack(path: string): void {
  const [from, to] = [join(batch.fresh, path), join(batch.work, path)];
  if (stateOf(path) === null) {
    remove(path);
    copy(from, to);
  }
  if (isFolder(path)) restore(path);
  const state = stateOf(path);
  if (state !== null) clean.set(path, state);
}

function copy(from: string, to: string): void {
  const { mode, atime, mtime } = lstatSync(from);
  if ((mode & constants.S_IFMT) === constants.S_IFDIR) return mkdirSync(to);
  if ((mode & constants.S_IFMT) === constants.S_IFLNK) return symlinkSync(readlinkSync(from), to);
  copyFileSync(from, to);
  utimesSync(to, atime, mtime);
}

function isFolder(path: string): boolean {
  return stats(path).isDirectory();
}

function stats(path: string): Stats {
  return lstatSync(join(batch.work, path));
}

/** Looks only at what is known: a folder's own times tell that a name came or went, and nothing is opened under the tracer. */
function hasChanged(): boolean {
  return (
    clean.size === 0 || topTimes !== timesOf('') || [...clean].some(([path, was]) => stateOf(path) !== was)
  );
}

function timesOf(path: string): string {
  const { ctimeMs, ino } = stats(path);
  return `${ino} ${ctimeMs}`;
}

/** Changes whenever the file does, or the list of names in the folder; null when it is gone. */
function stateOf(path: string): string | null {
  const found = lstatSync(join(batch.work, path), { throwIfNoEntry: false });
  return found ? `${found.mode} ${found.ino} ${found.size} ${found.ctimeMs}` : null;
}
