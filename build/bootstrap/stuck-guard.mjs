import { readdirSync, readFileSync } from 'node:fs';

/**
 * The ids of vitest's worker processes that `parent` started, read from /proc; none where there is no /proc.
 * A test that loops without yielding cannot be timed out from inside its process.
 */
export function findTestWorkers(parent, proc = '/proc') {
  const isWorker = (pid) => {
    try {
      const status = readFileSync(`${proc}/${pid}/stat`, 'utf8');
      // The command, in brackets, may contain spaces; the parent's id is the second field after it.
      const parentId = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1]);
      return (
        parentId === parent && readFileSync(`${proc}/${pid}/cmdline`, 'utf8').includes('workers/forks.js')
      );
    } catch {
      return false;
    }
  };
  try {
    return readdirSync(proc)
      .filter((name) => /^\d+$/.test(name) && isWorker(name))
      .map(Number);
  } catch {
    return [];
  }
}

/**
 * Notices when a run has reported nothing for `limitMs` although files are running, and then calls `onStuck(files)`.
 * Tell it what happens through `started`, `ended` and `alive`; call `check(now)` now and then. Times are milliseconds.
 */
export function makeStuckGuard({ limitMs, now, onStuck }) {
  const running = new Set();
  let last = now();
  return {
    started(file) {
      running.add(file);
      last = now();
    },
    ended(file) {
      running.delete(file);
      last = now();
    },
    alive() {
      last = now();
    },
    check() {
      if (running.size === 0 || now() - last < limitMs) return;
      last = now();
      onStuck([...running]);
    },
  };
}
