import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';

/** What a process of a home is, told by its command line. `tool`: started by an agent. */
export type ProcessKind = 'supervisor' | 'daemon' | 'worker' | 'reader' | 'cli' | 'leash' | 'tool';

/** One living process that belongs to a home. */
export interface HomeProcess {
  readonly pid: number;
  readonly ppid: number;
  readonly kind: ProcessKind;
  readonly command: string;
}

interface Row {
  readonly pid: number;
  readonly ppid: number;
  readonly state: string;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function stat(pid: number): Row | undefined {
  const text = read(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 20) return undefined;
  return { pid, ppid: Number(fields[1]), state: fields[0] ?? '' };
}

function allRows(): Row[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => stat(Number(name)) ?? []);
}

/** Whether a process lives; a zombie does not. */
export function isLiving(pid: number): boolean {
  const row = stat(pid);
  return row !== undefined && row.state !== 'Z' && row.state !== 'X';
}

/** The id of a home in KAIROS_RUN marks: found here the way a person would, not through the product's code. */
function homeMark(home: string): string {
  return createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 12);
}

function kindOf(command: string): ProcessKind {
  const program = /[/\\](supervisor|daemon|worker|reader|kairos)(?:-main)?\.js(?:\s|$)/.exec(command)?.[1];
  if (command.startsWith('kairos --daemon-worker=')) return 'worker';
  if (program === 'kairos') return 'cli';
  if (program !== undefined) return program as ProcessKind;
  return /^\/bin\/sh -c trap "" .*leash \d+$/s.test(command) ? 'leash' : 'tool';
}

function isMarked(pid: number, home: string, mark: string): boolean {
  const environment = `\0${read(`/proc/${pid}/environ`)}`;
  return environment.includes(`\0KAIROS_HOME=${home}\0`) || environment.includes(`\0KAIROS_RUN=${mark}.`);
}

/**
 * Every living process of a home: whoever carries KAIROS_HOME or KAIROS_RUN of it, and everything below such a process.
 * Pids in `except` (the test's own command-line programs) are left out.
 */
export function processesOf(home: string, except: ReadonlySet<number> = new Set()): readonly HomeProcess[] {
  const mark = homeMark(home);
  const rows = allRows().filter(({ state }) => state !== 'Z' && state !== 'X');
  const ours = new Set(
    rows.filter(({ pid }) => pid !== process.pid && isMarked(pid, home, mark)).map(({ pid }) => pid),
  );
  for (let before = -1; before !== ours.size; ) {
    before = ours.size;
    for (const { pid, ppid } of rows) if (ours.has(ppid)) ours.add(pid);
  }
  return rows
    .filter(({ pid }) => ours.has(pid) && !except.has(pid))
    .map(({ pid, ppid }) => {
      const command = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
      return { pid, ppid, command, kind: kindOf(command) };
    });
}

/** A process and everything below it that lives. */
export function processTree(root: number): readonly number[] {
  const rows = allRows().filter(({ state }) => state !== 'Z' && state !== 'X');
  const tree = new Set([root]);
  for (let before = 0; before !== tree.size; ) {
    before = tree.size;
    for (const { pid, ppid } of rows) if (tree.has(ppid)) tree.add(pid);
  }
  return rows.flatMap(({ pid }) => (tree.has(pid) ? [pid] : []));
}

/** Proportional memory of processes, bytes; those that ended meanwhile count nothing. */
export function memoryOf(pids: readonly number[]): number {
  const of = (pid: number): number =>
    Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);
  return pids.reduce((sum, pid) => sum + of(pid) * 1024, 0);
}

/** CPU time used so far, ms: the finer of the scheduler's account (of living threads) and the kernel's 10 ms ticks. */
export function cpuOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const text = read(`/proc/${pid}/stat`);
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10;
    const fine = tasks(pid).reduce(
      (all, task) => all + Number(read(`${task}/schedstat`).split(' ')[0] ?? 0) / 1e6,
      0,
    );
    return sum + Math.max(fine, ticks - 20);
  }, 0);
}

function tasks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`);
  } catch {
    return [];
  }
}

/** How often the threads of processes gave up the CPU to wait: an upper bound of their wake-ups. */
export function wakeUpsOf(pids: readonly number[]): number {
  const of = (task: string): number =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(read(`${task}/status`))?.[1] ?? 0);
  return pids.flatMap(tasks).reduce((sum, task) => sum + of(task), 0);
}

/** Open descriptors of a process, as the links say what they are. */
export function descriptorsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${name}`);
      } catch {
        return 'closed';
      }
    });
  } catch {
    return [];
  }
}

/** SIGKILL to one process; false when it was gone already. */
export function killNow(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
