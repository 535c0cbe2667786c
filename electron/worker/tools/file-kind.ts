import type { Stats } from 'node:fs';

/** What a path is, as far as reading and replacing its content goes. */
export type FileKind = 'file' | 'directory' | 'special';

/** Tells files from directories and from what must never be opened as a file (devices, pipes, sockets). */
export function fileKind(stats: Stats): FileKind {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'directory' : 'special';
}
