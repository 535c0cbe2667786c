import { readFile } from 'node:fs/promises';
import { errorCode, errorMessage, KairosError } from '../../../shared/base/errors.ts';
import { isObject } from '../../../shared/base/json.ts';
import { writeJsonAtomic } from '../../node/atomic-file.ts';
import { boundary } from '../../node/boundary.ts';
import { whatInsteadOfFile } from '../../node/regular-file.ts';

/** Changes of `settings.json`, one after the other; everything else in the file is kept. */
export interface SettingsChanges {
  /** Sets one member of a section; rejects with `settings_broken` when the file is no JSON object, which is then left as it is. */
  set(section: string, member: string, value: unknown): Promise<void>;
}

/** Reads the text of a file; rejects as `fs` does. */
export type ReadText = (path: string) => Promise<string>;

const fromDisk: ReadText = (path) => readFile(path, 'utf8');

/** An editor that never stops saving gets the last word after so many tries. */
const mostTries = 10;

/** Changes of the file at `path`; what somebody else saves meanwhile is kept too. */
export function settingsChanges(path: string, read: ReadText = fromDisk): SettingsChanges {
  let last: Promise<unknown> = Promise.resolve();
  const change = async (section: string, member: string, value: unknown, tries = 1): Promise<void> => {
    const text = await readText(path, read);
    const file = text === null ? {} : parsed(text);
    const before = file[section];
    if (before !== undefined && !isObject(before)) throw broken(`"${section}" in it is not an object`);
    // Somebody saved it while this was made: again, from what they saved.
    if (tries < mostTries && (await readText(path, read)) !== text)
      return change(section, member, value, tries + 1);
    boundary('settings.write', 'before');
    await writeJsonAtomic(path, { ...file, [section]: { ...before, [member]: value } });
    boundary('settings.write', 'after');
  };
  return {
    set(section, member, value) {
      const run = last.then(() => change(section, member, value));
      last = run.catch(() => undefined);
      return run;
    },
  };
}

/** Null when there is no file. */
async function readText(path: string, read: ReadText): Promise<string | null> {
  const instead = whatInsteadOfFile(path);
  if (instead !== undefined) throw broken(`it is ${instead}, not a file`);
  try {
    return await read(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw broken(`it cannot be read (${errorCode(error)})`);
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const file: unknown = JSON.parse(text);
    if (isObject(file)) return file;
  } catch (error) {
    throw broken(`it is not valid JSON (${errorMessage(error)})`);
  }
  throw broken('it is not a JSON object');
}

function broken(why: string): KairosError {
  return new KairosError('settings_broken', `settings.json was not changed: ${why}.`, {
    next: 'Correct the file, then try again.',
  });
}
