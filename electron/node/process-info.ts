/** One process; `startTime` is opaque text that tells two processes with the same pid apart, also across reboots. */
export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly startTime: string;
  /** Ended, but not yet collected by its parent. */
  readonly zombie: boolean;
  /** Short name of the program. */
  readonly name: string;
}

/** What one operating system knows about its processes; everything answers undefined or nothing for processes that are gone. */
export interface ProcessSource {
  list(): Promise<readonly ProcessInfo[]>;
  find(pid: number): Promise<ProcessInfo | undefined>;
  /** The value of a variable in the environment that the process was started with, or undefined. */
  variable(pid: number, name: string): Promise<string | undefined>;
  /** Every process with a variable `name` whose value starts with `prefix`. */
  withVariable(name: string, prefix: string): Promise<readonly { pid: number; value: string }[]>;
  /** True when the process belongs to the user that we are (real and effective uid). */
  isOurs(pid: number): Promise<boolean>;
  /** The command line, at most 200 characters; empty when it is hidden or gone. */
  commandLine(pid: number): Promise<string>;
}

/** The processes above `pid`, nearest first, without `pid` itself. */
export function ancestorsOf(pid: number, processes: readonly ProcessInfo[]): readonly ProcessInfo[] {
  const byPid = new Map(processes.map((info) => [info.pid, info]));
  const found: ProcessInfo[] = [];
  const seen = new Set([pid]);
  let next = byPid.get(byPid.get(pid)?.ppid ?? 0);
  while (next !== undefined && !seen.has(next.pid)) {
    seen.add(next.pid);
    found.push(next);
    next = byPid.get(next.ppid);
  }
  return found;
}

/** The processes below `pid` (children, their children ...), without `pid` itself. */
export function descendantsOf(pid: number, processes: readonly ProcessInfo[]): readonly ProcessInfo[] {
  const found: ProcessInfo[] = [];
  const seen = new Set([pid]);
  const queue = [pid];
  for (let parent = queue.shift(); parent !== undefined; parent = queue.shift()) {
    for (const info of processes) {
      if (info.ppid !== parent || seen.has(info.pid)) continue;
      seen.add(info.pid);
      found.push(info);
      queue.push(info.pid);
    }
  }
  return found;
}
