import { statSync, watch } from 'node:fs';

/** Identity of a file; undefined when it is not there. */
function identity(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/**
 * Calls `onLost` once when the lock file was deleted or replaced: another daemon could then start on the same home, and nothing
 * here would be found or stopped by anybody. The file is never written, so that nothing wakes this while all is well.
 */
export function watchLock(path: string, onLost: () => void): () => void {
  const own = identity(path);
  const watcher = watch(path, { persistent: false }, () => {
    if (identity(path) === own) return;
    watcher.close();
    onLost();
  });
  // A file system without notices: the lock itself still holds.
  watcher.on('error', () => watcher.close());
  return () => watcher.close();
}
