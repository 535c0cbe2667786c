import Database from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { KairosError } from '../../shared/base/errors.ts';
import { whatInsteadOfFile } from './regular-file.ts';

/** What the file beside the lock says about who holds it; information only, the lock itself is the truth. */
const holderSchema = z.looseObject({
  pid: z.int(),
  startTime: z.optional(z.string()),
  url: z.optional(z.string()),
  version: z.optional(z.string()),
});

/** Who holds the lock, as far as it has been written down. */
export type LockHolder = z.infer<typeof holderSchema>;

/** Either the lock, which lasts until `release` or the end of this process, or who has it (undefined: not written down). */
export type LockAnswer =
  | { readonly kind: 'acquired'; release(): void }
  | { readonly kind: 'busy'; readonly holder: LockHolder | undefined };

/** The lock could not even be tried; `next` says what to do. */
export class LockError extends KairosError {
  constructor(message: string, next: string, cause: unknown) {
    super('lock-unusable', message, { cause, next });
    this.name = 'LockError';
  }
}

function readHolder(holderFile: string): LockHolder | undefined {
  if (whatInsteadOfFile(holderFile) !== undefined) return undefined;
  try {
    const answer = holderSchema.safeParse(JSON.parse(readFileSync(holderFile, 'utf8')));
    return answer.success ? answer.data : undefined;
  } catch {
    // Absent, unreadable or half written: the lock is held all the same, its holder only has no name.
    return undefined;
  }
}

function unusable(lockFile: string, cause: unknown): LockError {
  const code = (cause as { code?: string }).code ?? '';
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) {
    const next = `Delete it; it holds no data: rm "${lockFile}"`;
    return new LockError(`The lock file "${lockFile}" is damaged.`, next, cause);
  }
  const next = 'Make sure that the state directory is on a local disk with free space and is writable.';
  return new LockError(
    `The lock file "${lockFile}" cannot be locked (${code || 'unknown error'}).`,
    next,
    cause,
  );
}

function isBusy(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code !== undefined && (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'));
}

/**
 * Takes the lock on `lockFile` (`BEGIN EXCLUSIVE`, never waits) for the life of this process; the kernel frees it also after
 * kill -9. When busy, says who holds it as written in `holderFile`. Throws LockError. Nothing else in this process may open
 * and close `lockFile`: POSIX drops the locks of a process when it closes any descriptor of the file.
 */
export function acquireExclusiveLock(lockFile: string, holderFile: string): LockAnswer {
  const instead = whatInsteadOfFile(lockFile);
  if (instead !== undefined) {
    throw new LockError(
      `The lock file "${lockFile}" is ${instead}.`,
      'Move it away; it holds no data.',
      undefined,
    );
  }
  let database: Database.Database | undefined;
  try {
    database = new Database(lockFile, { timeout: 0 });
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    if (isBusy(error)) return { kind: 'busy', holder: readHolder(holderFile) };
    throw unusable(lockFile, error);
  }
  const held = database;
  return { kind: 'acquired', release: () => held.close() };
}
