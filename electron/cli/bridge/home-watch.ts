import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import type { Clock } from '../../../shared/base/ports.ts';
import type { Home } from '../../node/home.ts';

/** Notices that a daemon or its supervisor has written down something new. */
export interface HomeWatch {
  /** Resolves at the next change of `daemon.json` or `supervisor.json`, or after `atMostMs`. */
  change(atMostMs: number): Promise<void>;
  close(): void;
}

/** Watches the two files; where the system cannot watch, only the time limit of `change` counts. */
export function watchHome(home: Home, clock: Clock): HomeWatch {
  const names = [basename(home.daemonFile), basename(home.supervisorFile)];
  let wake = (): void => undefined;
  let changed = false;
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(home.home, (_event, name) => {
      if (name === null || !names.includes(name)) return;
      changed = true;
      wake();
    });
    // A watcher that breaks (the folder was removed) leaves the time limit.
    watcher.on('error', () => watcher?.close());
  } catch {
    // No watcher to be had (limits, file system): the time limit is looked at instead.
    watcher = undefined;
  }
  return {
    change(atMostMs) {
      return new Promise((resolve) => {
        const cancel = clock.after(changed ? 0 : atMostMs, () => wake());
        wake = () => {
          changed = false;
          cancel();
          wake = () => undefined;
          resolve();
        };
      });
    },
    close() {
      watcher?.close();
      wake();
    },
  };
}
