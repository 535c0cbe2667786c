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

/** Changes of the file at `path`. */
export function settingsChanges(path: string): SettingsChanges {
  let last: Promise<unknown> = Promise.resolve();
  const change = async (section: string, member: string, value: unknown): Promise<void> => {
    const file = await readObject(path);
    const before = file[section];
    if (before !== undefined && !isObject(before)) throw broken(`"${section}" in it is not an object`);
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

async function readObject(path: string): Promise<Record<string, unknown>> {
  const instead = whatInsteadOfFile(path);
  if (instead !== undefined) throw broken(`it is ${instead}, not a file`);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw broken(`it cannot be read (${errorCode(error)})`);
  }
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
