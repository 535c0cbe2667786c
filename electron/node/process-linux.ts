import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessInfo, ProcessSource } from './process-info.ts';

/** Files of /proc come from memory: reading them synchronously costs some 15 microseconds, a trip to the thread pool more. */
function readProc(path: string): Buffer | undefined {
  try {
    return readFileSync(`/proc/${path}`);
  } catch {
    // The process is gone, or another user's: it cannot be read.
    return undefined;
  }
}

/** The start time in /proc counts from boot, so the boot itself is part of it. */
let bootId: string | undefined;
function thisBoot(): string {
  bootId ??= readProc('sys/kernel/random/boot_id')?.toString('latin1').slice(0, 8) ?? 'boot';
  return bootId;
}

/** Reads one line of /proc/<pid>/stat (proc(5)); the name in parentheses may itself hold spaces and parentheses. */
export function parseStat(text: string, boot: string): ProcessInfo | undefined {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  const fields = text.slice(close + 2).split(' ');
  const [state, ppid, pgid] = fields;
  const started = fields[19];
  if (open < 0 || close < open || state === undefined || started === undefined) return undefined;
  return {
    pid: Number(text.slice(0, open)),
    ppid: Number(ppid),
    pgid: Number(pgid),
    startTime: `${boot}:${started}`,
    // The first thread of a killed process ends before the others; until they did, its files and locks are still held.
    zombie: (state === 'Z' || state === 'X') && Number(fields[17]) <= 1,
    name: text.slice(open + 1, close),
  };
}

function find(pid: number): ProcessInfo | undefined {
  const text = readProc(`${pid}/stat`)?.toString('latin1');
  return text === undefined ? undefined : parseStat(text, thisBoot());
}

/** All pids that exist now, the newest number first. */
export function listPids(): number[] {
  const pids = readdirSync('/proc').filter((name) => name.charCodeAt(0) >= 49 && name.charCodeAt(0) <= 57);
  return pids.map(Number).sort((left, right) => right - left);
}

/** Value of the first entry `<name>=<prefix>...` that starts at an entry border of a NUL-separated environment block. */
export function findInEnvironment(block: Buffer, name: string, prefix = ''): string | undefined {
  const start = `${name}=${prefix}`;
  for (let at = block.indexOf(start); at >= 0; at = block.indexOf(start, at + 1)) {
    if (at !== 0 && block[at - 1] !== 0) continue;
    const end = block.indexOf(0, at);
    return block.toString('utf8', at + name.length + 1, end < 0 ? block.length : end);
  }
  return undefined;
}

function variable(pid: number, name: string, prefix?: string): string | undefined {
  const block = readProc(`${pid}/environ`);
  return block === undefined ? undefined : findInEnvironment(block, name, prefix);
}

/** Names of the variables that a process was started with; undefined when it is gone or hides them. */
export function variableNames(pid: number): readonly string[] | undefined {
  const block = readProc(`${pid}/environ`)?.toString('utf8');
  return block
    ?.split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.split('=', 1)[0] ?? '');
}

/** True for the systemd of a person: a child of init by that name, in the control group that systemd makes for it. */
export function isUserManager({ pid, ppid, name }: ProcessInfo): boolean {
  if (ppid > 1 || name !== 'systemd') return false;
  return /\/user@\d+\.service\/init\.scope$/m.test(readProc(`${pid}/cgroup`)?.toString('latin1') ?? '');
}

/** `Uid:` of /proc/<pid>/status; the owner of the folder would be root for processes that hide themselves. */
function isOurs(pid: number): boolean {
  const line = /^Uid:\s+(\d+)\s+(\d+)/m.exec(readProc(`${pid}/status`)?.toString('latin1') ?? '');
  const uid = String(process.getuid?.());
  return line !== null && line[1] === uid && line[2] === uid;
}

function commandLine(pid: number): string {
  const text = readProc(`${pid}/cmdline`)?.toString('utf8') ?? '';
  return text.replaceAll('\0', ' ').trim().slice(0, 200);
}

/** Processes by way of /proc. */
export const linuxProcesses: ProcessSource = {
  list: async () => listPids().flatMap((pid) => find(pid) ?? []),
  find: async (pid) => find(pid),
  variable: async (pid, name) => variable(pid, name),
  withVariable: async (name, prefix) =>
    listPids().flatMap((pid) => {
      const value = variable(pid, name, prefix);
      return value === undefined ? [] : [{ pid, value }];
    }),
  isOurs: async (pid) => isOurs(pid),
  commandLine: async (pid) => commandLine(pid),
};
