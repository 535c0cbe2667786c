import { statSync, watch } from 'node:fs';

/** Identity of a file; undefined when it is not there. */
function identity(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/**
 * Calls `onLost` once when a file that this daemon holds open was deleted or replaced. The lock: another daemon could then start
 * on the same home, and nothing here would be found or stopped by anybody. The database: what is stored from now on would go into
 * a file that has no name any more. Being written is no loss; the lock never is, the database only when its log is copied back.
 */
export function watchOwnFile(path: string, onLost: () => void): () => void {
  const own = identity(path);
  const watcher = watch(path, { persistent: false }, () => {
    if (identity(path) === own) return;
    watcher.close();
    onLost();
  });
  // A file system without notices: the lock itself still holds, and a deleted database is missed at the next start.
  watcher.on('error', () => watcher.close());
  return () => watcher.close();
}
