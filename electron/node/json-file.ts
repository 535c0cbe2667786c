import { readFile } from 'node:fs/promises';
import type * as z from 'zod/mini';
import { errorCode } from '../../shared/base/errors.ts';
import { FileError } from './atomic-file.ts';
import { whatInsteadOfFile } from './regular-file.ts';

/**
 * Reads a JSON file and checks its shape. Throws FileError `file-missing`, `file-unreadable`, `file-not-json` or
 * `file-wrong-shape` (the message names the first wrong member).
 */
export async function readJsonFile<Value>(path: string, schema: z.ZodMiniType<Value>): Promise<Value> {
  const instead = whatInsteadOfFile(path);
  if (instead !== undefined) {
    const next = 'Move it away.';
    throw new FileError('file-unreadable', path, `"${path}" is ${instead}, not a file.`, { next });
  }
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const missing = errorCode(cause) === 'ENOENT';
    const problem = missing ? 'does not exist' : `cannot be read (${errorCode(cause)})`;
    throw new FileError(missing ? 'file-missing' : 'file-unreadable', path, `"${path}" ${problem}.`, {
      cause,
    });
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const next = 'Correct it in an editor, or move it away to start with defaults.';
    throw new FileError('file-not-json', path, `"${path}" is not valid JSON.`, { cause, next });
  }
  const answer = schema.safeParse(value);
  if (answer.success) return answer.data;
  const [issue] = answer.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'the whole' : issue.path.join('.');
  const message = `"${path}" does not have the expected shape at ${where}: ${issue?.message ?? 'invalid'}.`;
  throw new FileError('file-wrong-shape', path, message, { cause: answer.error });
}
