import { nextTurn } from './clock.ts';
import { signalProcess } from './process-group.ts';
import { ancestorsOf } from './process-info.ts';
import { systemProcesses } from './process-table.ts';

/** Which leftovers to look for: the variable that marks processes, whose they are, and the run whose processes stay. */
export interface SweepOptions {
  /** Name of the variable, for example `KAIROS_RUN`. */
  readonly marker: string;
  /** Id of the home; a process counts only when its mark starts with exactly this and a dot. */
  readonly homeId: string;
  /** The run that is alive: its processes are left alone. */
  readonly exceptRun: string;
}

/** A leftover that was found and killed. */
export interface SweptProcess {
  readonly pid: number;
  readonly run: string;
  readonly name: string;
  readonly commandLine: string;
  /** It had left the group of its parent (or was orphaned), so that no leash could reach it. */
  readonly escaped: boolean;
}

/** The value that marks the processes of one run of one home: `<homeId>.<run>`. */
export function runMark(homeId: string, run: string): string {
  return `${homeId}.${run}`;
}

/** A killed process can have forked a moment before; a new look finds the child. */
const mostPasses = 5;

async function killMarked(
  options: SweepOptions,
  spared: ReadonlySet<number>,
  found: Map<number, SweptProcess>,
): Promise<boolean> {
  const prefix = runMark(options.homeId, '');
  let killed = false;
  for (const { pid, value } of await systemProcesses.withVariable(options.marker, prefix)) {
    const run = value.slice(prefix.length);
    if (run === options.exceptRun || spared.has(pid)) continue;
    const info = await systemProcesses.find(pid);
    if (info === undefined || info.zombie || !(await systemProcesses.isOurs(pid))) continue;
    const commandLine = await systemProcesses.commandLine(pid);
    // The pid may have been given away since the list was made: look once more, right before the kill.
    if ((await systemProcesses.variable(pid, options.marker)) !== value) continue;
    signalProcess(pid, 'SIGKILL');
    killed = true;
    found.set(pid, { pid, run, name: info.name, commandLine, escaped: info.ppid <= 1 || info.pgid === pid });
  }
  return killed;
}

/**
 * Kills (SIGKILL) every process of this user that carries the mark of another run of the same home, wherever it sits in the
 * process tree, and returns what it killed for reporting. Never touches this process, its ancestors, other homes or other
 * users. Call it only while holding the home's lock: whoever carries an older mark then has no owner any more.
 */
export async function sweepRun(options: SweepOptions): Promise<readonly SweptProcess[]> {
  const above = ancestorsOf(process.pid, await systemProcesses.list());
  const spared = new Set([process.pid, ...above.map((info) => info.pid)]);
  const found = new Map<number, SweptProcess>();
  for (let pass = 0; pass < mostPasses; pass += 1) {
    if (!(await killMarked(options, spared, found))) break;
    await nextTurn();
  }
  return [...found.values()];
}
