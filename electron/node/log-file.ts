import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';

/** A text file that is appended to and rotated by size. */
export interface LogFile {
  /** Appends one line at once (a later kill -9 loses nothing); a full disk loses the line, never the process. */
  write(line: string): void;
  close(): void;
}

/** `maxBytes` per file (default 10 MB) and `keep` older files beside it, `.1` the newest (default 3). */
export interface LogFileOptions {
  readonly maxBytes?: number;
  readonly keep?: number;
}

function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Missing older files are normal; anything else must not stop the program that logs.
  }
}

function sameFile(path: string, descriptor: number): boolean {
  try {
    return statSync(path).ino === fstatSync(descriptor).ino;
  } catch {
    // Nothing under this name any more: it is opened anew.
    return false;
  }
}

function shiftOlder(path: string, keep: number): void {
  for (let index = keep - 1; index >= 1; index -= 1) {
    attempt(() => renameSync(`${path}.${index}`, `${path}.${index + 1}`));
  }
  attempt(() => renameSync(path, `${path}.1`));
}

/** Opens a log for appending (mode 0600). Several processes may share one: whoever fills it rotates it, the others follow. */
export function openLogFile(path: string, options: LogFileOptions = {}): LogFile {
  const { maxBytes = 10 * 1024 * 1024, keep = 3 } = options;
  let descriptor = openSync(path, 'a', 0o600);
  let size = fstatSync(descriptor).size;
  const reopen = (): void => {
    const next = openSync(path, 'a', 0o600);
    closeSync(descriptor);
    descriptor = next;
    size = fstatSync(descriptor).size;
  };
  const makeRoom = (): void => {
    // Another process may have written or rotated meanwhile: look at the file before moving it.
    if (sameFile(path, descriptor)) {
      size = fstatSync(descriptor).size;
      if (size < maxBytes) return;
      shiftOlder(path, keep);
    }
    reopen();
  };
  return {
    write(line) {
      attempt(() => {
        if (size >= maxBytes) makeRoom();
        size += writeSync(descriptor, line);
      });
    },
    close: () => attempt(() => closeSync(descriptor)),
  };
}
