import { realpath, stat } from 'node:fs/promises';
import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import { HomeLinks } from './home-links.ts';
import { linkNames } from './link-names.ts';
import { absolutePath, pathProblem, realPathOf } from './real-path.ts';
import type { ToolContext } from './tool.ts';

/** Where a call works: the real session directory and the real path of the file it names. */
export interface Places {
  readonly cwd: string;
  readonly path: string;
  /** What the call touches: the path, its names through symbolic links, and the file of Kairos's home that it is another name of. */
  readonly paths: readonly string[];
}

/** The real directory of the session, or why there is none. */
export async function realDirectory({ dir }: ToolContext): Promise<{ readonly cwd: string } | string> {
  try {
    const cwd = await realpath(dir);
    return (await stat(cwd)).isDirectory() ? { cwd } : `the session's directory "${dir}" is not a directory`;
  } catch (error) {
    return `the session's directory "${dir}" ${pathProblem(errorCode(error))}`;
  }
}

/** Both real paths, or what is wrong with the one that was given. */
export async function places(given: string, context: ToolContext): Promise<Places | string> {
  const directory = await realDirectory(context);
  if (typeof directory === 'string') return directory;
  try {
    const named = absolutePath(given, directory.cwd, process.env.HOME);
    const path = await realPathOf(named);
    const others = named === path ? [] : await linkNames(named, [context.dir, context.home]);
    const own = new HomeLinks(context.home).behind(path);
    return { ...directory, path, paths: [path, ...others, ...(own === null ? [] : [own])] };
  } catch (error) {
    return errorMessage(error);
  }
}
