import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { errorCode } from '../../../../shared/base/errors.ts';
import { fileKind } from '../file-kind.ts';
import { places } from '../places.ts';
import { pathProblem, realPathOf } from '../real-path.ts';
import type { ToolContext } from '../tool.ts';

/** Where a search starts: real paths of the session's directory and of the directory or file that is searched. */
export interface SearchPlace {
  readonly cwd: string;
  readonly root: string;
  /** What the call touches (`Places`). */
  readonly paths: readonly string[];
  readonly kind: 'file' | 'directory';
}

/** The place of a search, or why there is none. Absent: the session's directory. */
export async function searchPlace(
  given: string | undefined,
  context: ToolContext,
): Promise<SearchPlace | string> {
  const found = await places(given ?? '.', context);
  if (typeof found === 'string') return found;
  const { cwd, path: root, paths } = found;
  const kind = await kindOf(root);
  return kind === 'file' || kind === 'directory' ? { cwd, root, paths, kind } : kind;
}

/** The same place when it is searched: null = it still leads there, else one sentence. */
export async function movedPlace(root: string): Promise<string | null> {
  const same = (await realPathOf(root)) === root;
  return same ? null : `"${root}" now leads somewhere else; call it again.`;
}

async function kindOf(root: string): Promise<SearchPlace['kind'] | string> {
  try {
    const kind = fileKind(await stat(root));
    return kind === 'special' ? `"${root}" is a device, pipe or socket and cannot be searched` : kind;
  } catch (error) {
    return `"${root}" ${pathProblem(errorCode(error))}`;
  }
}

/** Where ripgrep runs, what it searches there, and what it leaves out: Git's own files and the home of Kairos. */
export async function searchArgs(
  { root, kind }: SearchPlace,
  home: string,
): Promise<{ readonly cwd: string; readonly leaveOut: readonly string[]; readonly target: string }> {
  if (kind === 'file') return { cwd: dirname(root), leaveOut: [], target: `./${basename(root)}` };
  const own = relative(root, await realpath(home).catch(() => home));
  const inside = own !== '' && !own.startsWith('..') && !isAbsolute(own);
  const leaveOut = ['--glob=!.git', ...(inside ? [`--glob=!/${literalGlob(own)}`] : [])];
  return { cwd: root, leaveOut, target: './' };
}

function literalGlob(path: string): string {
  return path.replaceAll(/[\\*?[\]{}!]/g, '\\$&');
}

/** The absolute path of a found file. */
export function foundPath({ root, kind }: SearchPlace, found: string): string {
  return join(kind === 'file' ? dirname(root) : root, found);
}

/** Names a found file as the model may give it to another tool: relative to the session's directory where it lies in it. */
export function shownPath(place: SearchPlace, found: string): string {
  const { cwd } = place;
  const path = foundPath(place, found);
  const own = relative(cwd, path);
  const name = own.startsWith('..') || isAbsolute(own) ? path : own;
  // A line end in a name would look like two files.
  return [...name].some((character) => character < ' ' || character === '\u007F')
    ? JSON.stringify(name)
    : name;
}
