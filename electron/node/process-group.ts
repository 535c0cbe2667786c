import { spawn } from 'node:child_process';

function ignoreMissing(error: unknown): void {
  const code = (error as NodeJS.ErrnoException).code;
  // ESRCH: gone already. EPERM: macOS answers so when only zombies are left in the group.
  if (code !== 'ESRCH' && code !== 'EPERM') throw error;
}

/** Sends `signal` to every process of the group that `leaderPid` leads; a group that is gone is no error. POSIX only. */
export function signalGroup(leaderPid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leaderPid, signal);
  } catch (error) {
    ignoreMissing(error);
  }
}

/** Sends `signal` to one process; a process that is gone is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    ignoreMissing(error);
  }
}

/** Ends a process with everything below it at once: SIGKILL to its group, on Windows `taskkill /T /F`. */
export function killTree(leaderPid: number): void {
  if (process.platform !== 'win32') {
    signalGroup(leaderPid, 'SIGKILL');
    return;
  }
  const killer = spawn('taskkill', ['/PID', String(leaderPid), '/T', '/F'], {
    stdio: 'ignore',
    windowsHide: true,
  });
  killer.on('error', () => signalProcess(leaderPid, 'SIGKILL'));
}
