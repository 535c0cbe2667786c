import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes a file's content, or a folder's names, survive a power loss. Windows does that for folders by itself. Throws the system's error. */
export function syncPath(path: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    // A folder cannot be opened there; its names are kept without.
    if (process.platform === 'win32') return;
    throw error;
  }
  try {
    // Windows syncs only what may be written: the file was closed after writing, which has to do.
    if (process.platform !== 'win32') fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
