import { isObject } from '../../../shared/base/json.ts';
import { visibleText } from '../../../shared/base/visible-text.ts';
import { maskedMark } from '../../../shared/domain/prompts.ts';
import type { SectionName, Settings } from '../../../shared/domain/settings.ts';
import type { SettingsAnswer } from '../../../shared/protocol/window-views.ts';
import { readSettingsFiles } from './settings-file.ts';

type Entry = SettingsAnswer['entries'][number];

/** Members whose values people take for secrets, whatever stands in them. */
const secret = /(key|token|secret|password)$/i;
/** Names of variables, not what is in them. */
const onlyNames = /keyEnv$/;
/** Read again with every session: what the file says holds at once. */
const atOnce: ReadonlySet<string> = new Set(['permissions', 'hooks', 'env', 'sandbox']);

/** Every setting with what the files say of it now and who says so. `running`: what the daemon was started with. */
export function settingsReport(path: string, managedPath: string | null, running: Settings): SettingsAnswer {
  const { own, managed, parsed } = readSettingsFiles(path, managedPath);
  const names = Object.keys(parsed.settings) as SectionName[];
  const entries = names.flatMap((section) =>
    membersOf(section, parsed.settings[section]).map(([member, value]): Entry => {
      const name = member === null ? section : `${section}.${member}`;
      const source = says(managed, section, member)
        ? 'managed'
        : says(own, section, member)
          ? 'settings'
          : 'default';
      const now = memberOf(running[section], member);
      const later = !atOnce.has(section) && JSON.stringify(now) !== JSON.stringify(value);
      return { name, value: shown(value, name), source, later };
    }),
  );
  return {
    file: path,
    managedFile: Object.keys(managed).length > 0 ? managedPath : null,
    entries,
    notices: [...parsed.notices],
  };
}

/** The members of a section, one row each; a section that is one value is a row itself. */
function membersOf(section: SectionName, value: unknown): (readonly [string | null, unknown])[] {
  if (section === 'hooks' || !isObject(value)) return [[null, value]];
  return Object.entries(value);
}

function memberOf(value: unknown, member: string | null): unknown {
  return member !== null && isObject(value) ? value[member] : value;
}

function says(file: Record<string, unknown>, section: string, member: string | null): boolean {
  const value = file[section];
  return member === null ? value !== undefined : isObject(value) && value[member] !== undefined;
}

/** As JSON on one line; what may be secret is masked, variables show their names alone. */
function shown(value: unknown, name: string): string {
  const text = JSON.stringify(value, (key, member: unknown) =>
    typeof member === 'string' && secret.test(key) && !onlyNames.test(key) ? maskedMark : member,
  );
  if (name !== 'env.set' || !isObject(value)) return visibleText(text ?? 'null');
  return visibleText(JSON.stringify(Object.fromEntries(Object.keys(value).map((key) => [key, maskedMark]))));
}
