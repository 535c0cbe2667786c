import type { ProcessInfo, ProcessSource } from './process-info.ts';
import { linuxProcesses } from './process-linux.ts';

/** Windows hides environments and start times from plain programs: nothing is found there, so nothing is ever killed by it. */
const noProcesses: ProcessSource = {
  list: async () => [],
  find: async () => undefined,
  variable: async () => undefined,
  withVariable: async () => [],
  isOurs: async () => false,
  commandLine: async () => '',
};

async function sourceOf(platform: NodeJS.Platform): Promise<ProcessSource> {
  if (platform === 'linux') return linuxProcesses;
  // Loaded where it is needed only: the supervisor on Linux pays for every import.
  if (platform === 'darwin') return (await import('./process-darwin.ts')).darwinProcesses;
  return noProcesses;
}

/** The processes of this machine, read afresh at every call: /proc on Linux, `ps` on macOS, nothing on Windows. */
export const systemProcesses: ProcessSource = await sourceOf(process.platform);

function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * True while the process runs; a zombie counts as dead. With `startTime` (from ProcessInfo) another process that got the same
 * pid later counts as dead too.
 */
export async function isAlive(pid: number, startTime?: string): Promise<boolean> {
  if (process.platform === 'win32') return answersSignal(pid);
  const info: ProcessInfo | undefined = await systemProcesses.find(pid);
  return info !== undefined && !info.zombie && (startTime === undefined || info.startTime === startTime);
}

/** Start time of this process as ProcessInfo gives it; `unknown` where the system does not tell. */
export async function ownStartTime(): Promise<string> {
  return (await systemProcesses.find(process.pid))?.startTime ?? 'unknown';
}

/**
 * Names this boot of the machine (in a container: its own start) by the first process; null where the system does not tell. Two
 * equal names mean one boot, with one time since boot.
 */
export async function bootIdentity(): Promise<string | null> {
  return (await systemProcesses.find(1))?.startTime ?? null;
}
