import { spawn } from 'node:child_process';

// A terminal sends SIGINT and SIGHUP to the whole foreground group, so the child already has them.
function signalsToForward(isTerminal) {
  return isTerminal ? ['SIGTERM'] : ['SIGTERM', 'SIGINT', 'SIGHUP'];
}

/** Runs a command with inherited stdio until it ends; forwards signals; resolves to `{ code, signal }`. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
    const forwarded = signalsToForward(process.stdin.isTTY === true);
    const listeners = ['SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => {
      const listener = () => {
        if (forwarded.includes(signal)) child.kill(signal);
      };
      process.on(signal, listener);
      return [signal, listener];
    });
    const settle = (finish, value) => {
      for (const [signal, listener] of listeners) process.off(signal, listener);
      finish(value);
    };
    child.on('error', (error) => settle(reject, error));
    child.on('exit', (code, signal) => settle(resolve, { code, signal }));
  });
}

/** Ends this process the way a child ended: with its exit code, or by the signal that killed it. */
export function endLike({ code, signal }) {
  if (signal === null) process.exit(code ?? 1);
  process.kill(process.pid, signal);
  // The signal may be ignored by this process or be delivered late.
  setTimeout(() => process.exit(1), 1000);
}
