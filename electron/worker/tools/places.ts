import { errorMessage } from '../../../shared/base/errors.ts';
import { absolutePath, realPathOf } from './real-path.ts';
import type { ToolContext } from './tool.ts';

/** Where a call works: the real session directory and the real path of the file it names. */
export interface Places {
  readonly cwd: string;
  readonly path: string;
}

/** The real directory of the session, or why there is none. */
export async function realDirectory(context: ToolContext): Promise<{ readonly cwd: string } | string> {
  try {
    return { cwd: await realPathOf(context.dir) };
  } catch (error) {
    return errorMessage(error);
  }
}

/** Both real paths, or what is wrong with the one that was given. */
export async function places(given: string, context: ToolContext): Promise<Places | string> {
  try {
    const cwd = await realPathOf(context.dir);
    return { cwd, path: await realPathOf(absolutePath(given, cwd, context.environment.HOME)) };
  } catch (error) {
    return errorMessage(error);
  }
}
