import { isObject } from '../../../shared/base/json.ts';
import { readFileSync } from 'node:fs';
import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import { whatInsteadOfFile } from '../../node/regular-file.ts';
import { type ParsedSettings, parseSettings } from '../../../shared/domain/settings.ts';

/** Reads `settings.json`; absent = defaults, unreadable or broken = defaults with a notice. Never throws, never writes. */
export function readSettings(path: string): ParsedSettings {
  const instead = whatInsteadOfFile(path);
  if (instead !== undefined) return closed(`settings.json is ${instead}, not a file`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const parsed = parseSettings({});
    if (errorCode(error) === 'ENOENT') return parsed;
    return closed(`settings.json cannot be read (${errorCode(error)})`);
  }
  try {
    const file: unknown = JSON.parse(text);
    return isObject(file) ? parseSettings(file) : closed('settings.json is not a JSON object');
  } catch (error) {
    return closed(`settings.json is not valid JSON (${errorMessage(error)})`);
  }
}

/** Deny and ask rules cannot be known: until the file is mended every tool asks. */
function closed(why: string): ParsedSettings {
  const parsed = parseSettings({ permissions: { ask: ['*'] } });
  return { ...parsed, notices: [`${why}: the defaults hold and every tool asks until it is mended.`] };
}
