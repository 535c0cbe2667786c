import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

const abandonedAfterMs = 10 * 60_000;

/** Whether a process with this id exists; one that belongs to another user counts as alive. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function tryTake(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function dropAbandoned(path) {
  try {
    const text = readFileSync(path, 'utf8');
    const ageMs = Date.now() - statSync(path).mtimeMs;
    // An empty file is one whose owner is between creating and writing it; give it a second.
    const ownerGone = text === '' ? ageMs > 1000 : !isAlive(Number(text));
    if (ownerGone || ageMs > abandonedAfterMs) rmSync(path, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** Runs `work` while this process alone holds the lock file; the lock of a dead process is taken over. */
export async function withLock(path, work) {
  while (!tryTake(path)) {
    dropAbandoned(path);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}
