import { daemonFileSchema } from '../../../shared/protocol/bridge.ts';
import { FileError } from '../../node/atomic-file.ts';
import type { Home } from '../../node/home.ts';
import { readJsonFile } from '../../node/json-file.ts';
import { isAlive, systemProcesses } from '../../node/process-table.ts';
import { liveSupervisor } from '../bridge/locate.ts';

/** A process by number and start time, so that a later one with the same number is not taken for it. */
export interface KnownProcess {
  readonly pid: number;
  readonly startTime?: string;
}

/** The processes of a home that live now. */
export interface HomeProcesses {
  readonly daemon: KnownProcess | undefined;
  readonly supervisor: KnownProcess | undefined;
}

async function known(pid: number): Promise<KnownProcess | undefined> {
  const info = await systemProcesses.find(pid);
  if (info === undefined) return (await isAlive(pid)) ? { pid } : undefined;
  return info.zombie ? undefined : { pid, startTime: info.startTime };
}

async function liveDaemon(home: Home): Promise<KnownProcess | undefined> {
  try {
    const { pid, startTime } = await readJsonFile(home.daemonFile, daemonFileSchema);
    return (await isAlive(pid, startTime)) ? { pid, startTime } : undefined;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** A supervisor that was started a moment ago and has not written anything down yet; it carries the home in its environment. */
async function startingSupervisor(home: Home): Promise<KnownProcess | undefined> {
  for (const { pid, value } of await systemProcesses.withVariable('KAIROS_HOME', home.home)) {
    if (value !== home.home || pid === process.pid || !(await systemProcesses.isOurs(pid))) continue;
    const program = /(?:^|[\\/ ])supervisor\.js(?: |$)/.test(await systemProcesses.commandLine(pid));
    const found = program ? await known(pid) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Finds the daemon and the supervisor of a home by what they wrote down, checked against the system; when that names nobody,
 * looks for a supervisor that has only just been started.
 */
export async function homeProcesses(home: Home): Promise<HomeProcesses> {
  const state = await liveSupervisor(home);
  const named = await liveDaemon(home);
  const child = state?.daemonPid ?? null;
  if (state === undefined && named === undefined)
    return { daemon: undefined, supervisor: await startingSupervisor(home) };
  return {
    daemon: named ?? (child === null ? undefined : await known(child)),
    supervisor: state === undefined ? undefined : { pid: state.pid, startTime: state.startTime },
  };
}
