import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ProcessInfo, ProcessSource } from './process-info.ts';

const execute = promisify(execFile);

async function ps(args: readonly string[]): Promise<string[]> {
  const options = { maxBuffer: 64 * 1024 * 1024, env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' } };
  // ps answers 1 when a pid does not exist: no lines then.
  const { stdout } = await execute('/bin/ps', [...args], options).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter((line) => line.trim() !== '');
}

const row = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/;
const columns = 'pid=,ppid=,pgid=,stat=,lstart=,comm=';

/** Reads one row of `ps -o pid=,ppid=,pgid=,stat=,lstart=,comm=`; the start time has a resolution of one second there. */
export function parsePsRow(line: string): ProcessInfo | undefined {
  const [, pid, ppid, pgid, stat, started, name] = row.exec(line) ?? [];
  if (stat === undefined || started === undefined || name === undefined) return undefined;
  return {
    pid: Number(pid),
    ppid: Number(ppid),
    pgid: Number(pgid),
    startTime: started.replaceAll(/\s+/g, ' '),
    zombie: stat.startsWith('Z'),
    name: name.slice(name.lastIndexOf('/') + 1),
  };
}

function byPid(lines: readonly string[]): Map<number, string> {
  const rows = lines.map((line) => /^\s*(\d+) (.*)$/.exec(line));
  return new Map(rows.flatMap((match) => (match === null ? [] : [[Number(match[1]), match[2] ?? '']])));
}

/**
 * Value of variable `name` in what `ps -E` appends to the command line. The plain command line is cut off first: an argument
 * that looks like a variable must not count as one.
 */
export function findInPsCommand(withEnvironment: string, plain: string, name: string): string | undefined {
  if (!withEnvironment.startsWith(plain)) return undefined;
  const rest = withEnvironment.slice(plain.length);
  const match = new RegExp(`(?:^| )${name}=([^ ]*)`).exec(rest);
  return match?.[1];
}

async function variables(selection: readonly string[], name: string): Promise<Map<number, string>> {
  const [full, plain] = await Promise.all([
    ps([...selection, '-E', '-ww', '-o', 'pid=,command=']).then(byPid),
    ps([...selection, '-ww', '-o', 'pid=,command=']).then(byPid),
  ]);
  const found = new Map<number, string>();
  for (const [pid, text] of full) {
    const value = findInPsCommand(text, plain.get(pid) ?? '\0', name);
    if (value !== undefined) found.set(pid, value);
  }
  return found;
}

/** Processes by way of `ps`, which shows the environment of one's own processes only. Not yet run on a Mac (README). */
export const darwinProcesses: ProcessSource = {
  list: async () => (await ps(['-ax', '-o', columns])).flatMap((line) => parsePsRow(line) ?? []),
  find: async (pid) =>
    (await ps(['-p', String(pid), '-o', columns])).flatMap((line) => parsePsRow(line) ?? [])[0],
  variable: async (pid, name) => (await variables(['-p', String(pid)], name)).get(pid),
  withVariable: async (name, prefix) =>
    [...(await variables(['-ax'], name))]
      .filter(([, value]) => value.startsWith(prefix))
      .map(([pid, value]) => ({ pid, value })),
  isOurs: async (pid) => {
    const [line = ''] = await ps(['-p', String(pid), '-o', 'ruid=,uid=']);
    const uid = String(process.getuid?.());
    return line.trim().split(/\s+/).join(' ') === `${uid} ${uid}`;
  },
  commandLine: async (pid) =>
    ((await ps(['-p', String(pid), '-ww', '-o', 'command=']))[0] ?? '').slice(0, 200),
};
