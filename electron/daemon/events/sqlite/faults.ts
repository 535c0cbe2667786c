import { KairosError, errorCode, errorMessage } from '../../../../shared/base/errors.ts';

const full = /^SQLITE_FULL|^SQLITE_IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|SHM)|^SQLITE_IOERR$/;
const busy = /^SQLITE_(BUSY|LOCKED)/;
const corrupt = /^SQLITE_(CORRUPT|NOTADB|IOERR)/;
const closed = /^SQLITE_(READONLY|CANTOPEN|PERM|AUTH|NOLFS)/;

/** True when the disk below had no room or could not be written, by SQLite's code or the system's. */
export function isFull(error: unknown): boolean {
  const code = errorCode(error);
  return full.test(code) || code === 'ENOSPC' || code === 'EDQUOT';
}

/** What a person can do about a damaged database; goes on a sentence. */
export const damagedStoreCure =
  'stop Kairos (kairos daemon stop) and put a backup back (kairos restore FOLDER --replace), or start empty and keep what is left (kairos daemon start --fresh).';

/** The fault for people when SQLite or the disk below it failed; null for anything else. `path`: the database. */
export function storageFault(error: unknown, path: string): KairosError | null {
  if (error instanceof KairosError) return error;
  const code = errorCode(error);
  const say = (kind: string, message: string, next: string): KairosError =>
    new KairosError(kind, message, { cause: error, next });
  if (isFull(error)) {
    return say(
      'disk_full',
      `Nothing was stored: the disk of "${path}" is full or cannot be written.`,
      'Free some space.',
    );
  }
  if (busy.test(code)) {
    return say('busy', `Another program holds "${path}".`, 'Close it; nothing was stored, so try again.');
  }
  if (corrupt.test(code)) {
    const message = `A part of "${path}" is damaged (${errorMessage(error)}).`;
    return say('corrupt', message, `${damagedStoreCure.charAt(0).toUpperCase()}${damagedStoreCure.slice(1)}`);
  }
  if (closed.test(code)) {
    return say('not_writable', `"${path}" cannot be opened or written (${code}).`, 'Check its permissions.');
  }
  return null;
}
