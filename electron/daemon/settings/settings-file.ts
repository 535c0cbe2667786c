import { isObject } from '../../../shared/base/json.ts';
import { readFileSync } from 'node:fs';
import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import { whatInsteadOfFile } from '../../node/regular-file.ts';
import { type ParsedSettings, parseSettings } from '../../../shared/domain/settings.ts';

/**
 * The settings of the start: `settings.json`, member by member overruled by the managed file where there is one. Absent =
 * defaults, unreadable or broken = defaults with a notice. Never throws, never writes. Permissions, hooks, env and sandbox are
 * read again with every session (`session-config.ts`).
 */
export function readSettings(path: string, managedPath: string | null = null): ParsedSettings {
  const own = readJson(path, 'settings.json');
  const managed = managedPath === null ? absent : readJson(managedPath, managedPath);
  if (managed.kind === 'broken') {
    // What it demands is not known; the reader of sessions tells about it and makes everything ask.
    return own.kind === 'broken' ? closed(own.why) : parseSettings(own.file);
  }
  if (own.kind === 'broken') return closed(own.why, managed.file);
  if (managed.kind === 'absent') return parseSettings(own.file);
  return parseSettings(overruled(own.file, managed.file));
}

/** What both files say now, and the settings that they make. A broken file says nothing here; `parsed` tells of it. */
export function readSettingsFiles(
  path: string,
  managedPath: string | null,
): {
  readonly own: Record<string, unknown>;
  readonly managed: Record<string, unknown>;
  readonly parsed: ParsedSettings;
} {
  const said = (file: ReadJson): Record<string, unknown> => (file.kind === 'broken' ? {} : file.file);
  const managed = managedPath === null ? absent : readJson(managedPath, managedPath);
  return {
    own: said(readJson(path, 'settings.json')),
    managed: said(managed),
    parsed: readSettings(path, managedPath),
  };
}

type JsonFile = { readonly file: Record<string, unknown> };
type ReadJson =
  | ({ readonly kind: 'absent' | 'read' } & JsonFile)
  | { readonly kind: 'broken'; readonly why: string };

const absent: ReadJson = { kind: 'absent', file: {} };

function readJson(path: string, name: string): ReadJson {
  const instead = whatInsteadOfFile(path);
  if (instead !== undefined) return { kind: 'broken', why: `${name} is ${instead}, not a file` };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return absent;
    return { kind: 'broken', why: `${name} cannot be read (${errorCode(error)})` };
  }
  try {
    const file: unknown = JSON.parse(text);
    return isObject(file) ? { kind: 'read', file } : { kind: 'broken', why: `${name} is not a JSON object` };
  } catch (error) {
    return { kind: 'broken', why: `${name} is not valid JSON (${errorMessage(error)})` };
  }
}

/** Sections whose lists are put together with those of other sources, by the reader of sessions. */
const ofSessions: ReadonlySet<string> = new Set(['permissions', 'hooks', 'env', 'sandbox']);

/** The administrator's word goes before the person's, member by member. */
function overruled(own: Record<string, unknown>, managed: Record<string, unknown>): Record<string, unknown> {
  const sections = Object.entries(managed).filter(([name]) => !ofSessions.has(name));
  const merged = sections.map(([name, value]) => {
    const mine = own[name];
    return [name, isObject(mine) && isObject(value) ? { ...mine, ...value } : value];
  });
  return { ...own, ...(Object.fromEntries(merged) as Record<string, unknown>) };
}

/** Deny and ask rules cannot be known: until the file is mended every tool asks that reaches beyond the conversation. */
function closed(why: string, managed: Record<string, unknown> = {}): ParsedSettings {
  const parsed = parseSettings({ ...overruled({}, managed), permissions: { ask: ['*'] } });
  return {
    ...parsed,
    notices: [
      `${why}: the defaults hold and every tool asks until it is mended, but those that keep to the conversation or stop a background task.`,
    ],
  };
}
