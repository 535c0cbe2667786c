import { isAbsolute, matchesGlob } from 'node:path';
import * as z from 'zod/mini';
import { visibleText } from '../../../../shared/base/visible-text.ts';
import { defineTool, failed, type ToolContext } from '../tool.ts';
import { runRipgrep } from './ripgrep.ts';
import { searchResult } from './search-end.ts';
import { movedPlace, type SearchPlace, searchArgs, searchPlace, shownPath } from './search-place.ts';

const mostShown = 250;

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
) {
  const { cwd, leaveOut, target } = await searchArgs(place, context.home);
  const found: string[] = [];
  let matches = 0;
  const take = (record: string): boolean => {
    const file = record.replace(/^\.\//, '');
    if (file === '' || !matchesGlob(file, pattern)) return true;
    matches += 1;
    if (found.length < mostShown) found.push(shownPath(place, file));
    return true;
  };
  const args = ['--files', '--null', '--sortr=modified', ...leaveOut, '--', target];
  const end = await runRipgrep({ args, cwd, separator: '\0', take }, signal, context.clock);
  return searchResult('Glob', end, {
    lines: found,
    none: `no file in ${place.root} matches ${pattern}`,
    more:
      matches > found.length ? `the newest ${found.length} of ${matches} files; narrow the pattern` : null,
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
