import { statSync } from 'node:fs';
import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import { storeSchema } from '../../../shared/protocol/backup.ts';
import type { DoctorCheck } from '../../../shared/protocol/bridge.ts';
import { whatInsteadOfFile } from '../../node/regular-file.ts';
import { readSqliteHeader } from '../../node/sqlite-header.ts';

const cure =
  'Put a backup back (kairos restore FOLDER --replace), or start empty and keep what is left: kairos daemon start --fresh';

/** What can be seen of the database at `path` from outside: no database, cut off, of a newer Kairos. Its pages are not looked through. */
export function checkStore(path: string): DoctorCheck {
  try {
    const instead = whatInsteadOfFile(path);
    if (instead !== undefined) return fail(`"${path}" is ${instead}, not a file.`, 'Move it away.');
    return checkFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ok('none yet (made at the first start)');
    return fail(`"${path}" cannot be read (${errorMessage(error)}).`, 'Check its permissions.');
  }
}

function checkFile(path: string): DoctorCheck {
  const { size } = statSync(path);
  // A first start that was ended at once leaves this; the next one goes on with it.
  if (size === 0) return ok('empty');
  const { isSqlite, promisedBytes, userVersion } = readSqliteHeader(path);
  if (!isSqlite) return fail(`"${path}" is damaged: it is no database.`, cure);
  if (userVersion > storeSchema) {
    const schemas = `schema ${userVersion}, this one knows ${storeSchema}`;
    return fail(`"${path}" was written by a newer Kairos (${schemas}).`, 'Install the newer Kairos.');
  }
  // What is missing at the end may stand in the log still.
  if (size < promisedBytes && !hasContent(`${path}-wal`)) {
    return fail(
      `"${path}" is damaged: it was cut off, ${size} of its ${promisedBytes} bytes are there.`,
      cure,
    );
  }
  return ok(
    `schema ${userVersion}, ${(size / 1024 / 1024).toFixed(1)} MB (its pages are not looked through)`,
  );
}

function hasContent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function ok(detail: string): DoctorCheck {
  return { name: 'store', state: 'ok', detail, next: '' };
}

function fail(detail: string, next: string): DoctorCheck {
  return { name: 'store', state: 'fail', detail, next };
}
