import { isAbsolute, matchesGlob } from 'node:path';
import * as z from 'zod/mini';
import { visibleText } from '../../../../shared/base/visible-text.ts';
import type { CallResult } from '../../../../shared/domain/messages.ts';
import { parseApart } from '../parsing/parse-apart.ts';
import { defineTool, failed, type ToolContext } from '../tool.ts';
import { isQuickPattern } from './quick-pattern.ts';
import { ClosedFiles } from './closed-files.ts';
import { type RipgrepEnd, runRipgrep } from './ripgrep.ts';
import { searchResult } from './search-end.ts';
import {
  foundPath,
  movedPlace,
  type SearchPlace,
  searchArgs,
  searchPlace,
  shownPath,
} from './search-place.ts';

const mostShown = 250;
/** Of all names together that a slow pattern is held against, and that are kept for it: about 500,000 files. */
const mostCharacters = 40_000_000;
const tooMuch =
  'the pattern takes too long to match; use fewer * and {} in a name, no groups, or list the files with Bash: find';

const schema = z.object({
  pattern: z.string().check(z.minLength(1), z.maxLength(2_000)),
  path: z.optional(z.string()),
});

/** Finds files by name, the newest first. */
export const globTool = defineTool({
  name: 'Glob',
  description:
    'Finds files whose path matches a glob such as **/*.ts or src/{a,b}/*.md, the newest first, at most 250. path: directory to search (default: the session directory). Git-ignored files are left out unless path names their directory; names that begin with a dot match only a pattern that names the dot.',
  schema,
  hot: true,
  class: 'pure',
  access: 'read',
  async look({ pattern, path }, context) {
    const wanted = splitPattern(pattern, path);
    const place = await searchPlace(wanted.path, context);
    if (typeof place === 'string') return place;
    const { cwd, root, kind, paths } = place;
    if (kind === 'file') return `"${root}" is a file; name a directory`;
    const preview = visibleText(`${wanted.pattern}\nin ${root}`);
    return { cwd, subject: root, paths: [...paths], preimages: [], preview, description: '' };
  },
  async act({ pattern, path }, { cwd, subject: root }, context, signal) {
    const moved = await movedPlace(root);
    if (moved !== null) return failed(moved);
    const place: SearchPlace = { cwd, root, paths: [root], kind: 'directory' };
    return findFiles(splitPattern(pattern, path).pattern, place, context, signal);
  },
});

async function findFiles(
  pattern: string,
  place: SearchPlace,
  context: ToolContext,
  signal: Parameters<typeof runRipgrep>[1],
): Promise<CallResult> {
  const { cwd, leaveOut, target } = await searchArgs(place, context.home);
  const isQuick = isQuickPattern(pattern);
  const closed = new ClosedFiles(context);
  const names: string[] = [];
  let characters = 0;
  let matches = 0;
  const take = (record: string): boolean => {
    const file = record.replace(/^\.\//, '');
    if (file === '' || (isQuick && !matchesGlob(file, pattern))) return true;
    if (closed.has(foundPath(place, file))) return true;
    matches += 1;
    if (isQuick && names.length >= mostShown) return true;
    names.push(file);
    characters += file.length;
    return characters <= mostCharacters;
  };
  const args = ['--files', '--null', '--sortr=modified', ...leaveOut, '--', target];
  const end = await runRipgrep({ args, cwd, separator: '\0', take }, signal, context.clock);
  if (isQuick) return found(place, pattern, { names, matches, notes: closed.notes }, end);
  const chosen = await parseApart({ kind: 'glob', names, pattern }, { clock: context.clock, signal });
  if (chosen.kind === 'interrupted') return { outcome: 'interrupted', output: 'Stopped by an interrupt.' };
  if (chosen.kind !== 'done') return failed(`Glob: ${tooMuch}.`);
  const first = chosen.answer.slice(0, mostShown).flatMap((at) => names[at] ?? []);
  return found(place, pattern, { names: first, matches: chosen.answer.length, notes: closed.notes }, end);
}

interface Found {
  readonly names: readonly string[];
  readonly matches: number;
  readonly notes: readonly string[];
}

function found(
  place: SearchPlace,
  pattern: string,
  { names, matches, notes }: Found,
  end: RipgrepEnd,
): CallResult {
  const lines = names.map((name) => shownPath(place, name));
  const some = end.why === 'enough' ? ' among the newest; there are more files than are looked through' : '';
  const more = `the newest ${lines.length} of ${matches} files${some}; narrow the pattern`;
  return searchResult('Glob', end, {
    lines,
    none: `no file in ${place.root} matches ${pattern}${some}`,
    more: matches > lines.length || some !== '' ? more : null,
    notes,
  });
}

const special = /[*?[\]{}()!+@\\]/;

/** Leading directories that a pattern names outright are where the search begins: `../x/*.ts` is `*.ts` in `../x`. */
function splitPattern(
  pattern: string,
  path: string | undefined,
): { readonly pattern: string; readonly path: string | undefined } {
  const parts = pattern.split('/');
  const fixed = parts.findIndex((part) => special.test(part));
  const count = fixed < 0 ? parts.length - 1 : fixed;
  if (count === 0) return { pattern, path };
  const named = parts.slice(0, count).join('/') || '/';
  const rest = parts.slice(count).join('/');
  if (isAbsolute(named) || named.startsWith('~')) return { pattern: rest, path: named };
  return { pattern: rest, path: path === undefined ? named : `${path}/${named}` };
}
