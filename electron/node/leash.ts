import { spawn } from 'node:child_process';

/** A tiny process that kills a group as soon as its owner is gone. */
export interface Leash {
  readonly pid: number;
  /** Ends the leash without harm to the group; call it only after the group has been dealt with. */
  release(): void;
}

/**
 * `read` returns at the end of the pipe that only the owner holds, so after its death, however it died. The signals are
 * ignored because a log-out may send them to every process before the owner is gone.
 */
const script = 'trap "" HUP INT TERM QUIT; read -r never; kill -9 -"$1"';

/**
 * Ties the process group `groupId` to the life of this process. The leash runs (it has been executed, so it will see the end
 * of the pipe) once this returns; undefined when the system refused to start it. It has a session and group of its own, no
 * environment and no directory, and calls `onLost` when somebody else ended it. POSIX only.
 */
export function startLeash(groupId: number, onLost: () => void): Leash | undefined {
  const leash = spawn('/bin/sh', ['-c', script, 'leash', String(groupId)], {
    cwd: '/',
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  leash.on('error', () => undefined);
  if (leash.pid === undefined) return undefined;
  let released = false;
  leash.stdin.on('error', () => undefined);
  leash.on('exit', () => {
    if (!released) onLost();
  });
  // Neither the leash nor its pipe is a reason for the owner to stay alive.
  leash.unref();
  (leash.stdin as unknown as { unref(): void }).unref();
  return {
    pid: leash.pid,
    release() {
      released = true;
      leash.kill('SIGKILL');
      leash.stdin.destroy();
    },
  };
}
