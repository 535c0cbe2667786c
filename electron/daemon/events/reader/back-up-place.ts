import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { KairosError, errorCode } from '../../../../shared/base/errors.ts';
import { isFull } from '../sqlite/faults.ts';

function refusal(message: string, next: string, cause?: unknown): KairosError {
  return new KairosError('bad_input', message, { next, cause });
}

/** Throws `bad_input` unless `to` can become a folder outside of the state directory `home`. */
export function checkPlace(to: string, home: string): void {
  if (existsSync(to)) throw refusal(`"${to}" exists already.`, 'Name a folder that does not exist yet.');
  const parent = dirname(to);
  if (!statSync(parent, { throwIfNoEntry: false })?.isDirectory())
    throw refusal(`There is no folder "${parent}".`, 'Make it first, or name another place.');
  const way = relative(realpathSync(home), join(realpathSync(parent), basename(to)));
  if (way !== '..' && !way.startsWith(`..${sep}`))
    throw refusal(
      `"${to}" lies inside the state directory, and what is lost with that would be lost with it.`,
      'Name a folder somewhere else, best on another disk.',
    );
}

/** Makes the folder under which the backup `to` grows. Throws `bad_input` with the reason that the system gave. */
export function makeFolder(path: string, to: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const fault = targetFault(error, to);
    if (fault !== null) throw fault;
    throw refusal(
      `"${to}" cannot be made (${errorCode(error)}).`,
      'Name a place that you may write to.',
      error,
    );
  }
}

/** The fault of a disk that has no room for the backup `to`; null for anything else. */
export function targetFault(error: unknown, to: string): KairosError | null {
  if (!isFull(error)) return null;
  return new KairosError(
    'disk_full',
    `The disk of "${to}" is full or cannot be written; no backup was made.`,
    {
      cause: error,
      next: 'Free some space there, or name another place.',
    },
  );
}
