import { readdirSync, rmSync } from 'node:fs';
import { acquireExclusiveLock } from '../../node/exclusive-lock.ts';
import { openHome } from '../../node/home.ts';
import { syncPath } from '../../node/sync-path.ts';
import type { CliContext } from '../context.ts';
import { exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { findRunning } from './find-running.ts';
import { moveAside, removeSearchIndex, stampOf } from './move-aside.ts';
import { stopDaemon } from './stop-daemon.ts';

/** Everything by which the daemon tells that a store was there before. */
const storeFile = /^(store\.db(-wal|-shm|-journal|\.v\d+\.bak)?|store\.mark|blobs)$/;

/**
 * Moves what is left of the store aside, so that the next start begins empty; stops a daemon in safe mode first. The paths under
 * which it is kept. Throws CommandFailure, having changed nothing, when a daemon works with the store.
 */
export async function setStoreAside(context: CliContext): Promise<readonly string[]> {
  const home = openHome(context.env);
  const running = await findRunning(context);
  if (running !== undefined && running.safe === null) throw inUse(home.home, running.pid);
  if (running !== undefined) await stopDaemon(context);
  const lock = acquireExclusiveLock(home.lockDb, home.daemonFile);
  if (lock.kind === 'busy') throw inUse(home.home, lock.holder?.pid);
  try {
    const names = readdirSync(home.home).filter((name) => storeFile.test(name));
    const kept = moveAside(home.home, names, stampOf(context.clock.now()));
    removeSearchIndex(home);
    // Left by a daemon that died: it would count as a trace of the store that was moved away.
    rmSync(home.daemonFile, { force: true });
    syncPath(home.home);
    return kept;
  } finally {
    lock.release();
  }
}

function inUse(home: string, pid: number | undefined): CommandFailure {
  const who = pid === undefined ? '' : ` (process ${pid})`;
  const message = `Kairos is running on "${home}"${who}; nothing was changed.`;
  return new CommandFailure(exit.failed, message, 'Stop it first with: kairos daemon stop');
}
