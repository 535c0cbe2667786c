import { type Stats, statSync } from 'node:fs';

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/**
 * What stands where a file is expected (`a named pipe`), links followed; undefined when it is a file, absent, or cannot be looked
 * at. Ask before opening: reading a named pipe may never return.
 */
export function whatInsteadOfFile(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined || stats.isFile() ? undefined : kindOf(stats);
  } catch {
    // Not to be looked at (permissions): opening it fails the same way, with its own words.
    return undefined;
  }
}
