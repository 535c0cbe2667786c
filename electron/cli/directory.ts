import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorCode } from '../../shared/base/errors.ts';
import type { CliContext } from './context.ts';
import { usageFailure } from './failure.ts';

/** The absolute path of an existing directory that may be read. Throws CommandFailure (2) that says what is wrong with it. */
export function existingDirectory(context: Pick<CliContext, 'cwd'>, named: string): string {
  const path = resolve(context.cwd, named);
  try {
    if (!statSync(path).isDirectory()) {
      throw usageFailure(`"${path}" is not a directory.`, 'Name the folder in which to work.');
    }
    accessSync(path, constants.R_OK | constants.X_OK);
    return path;
  } catch (error) {
    switch (errorCode(error)) {
      case 'ENOENT':
      case 'ENOTDIR':
        throw usageFailure(`The directory "${path}" does not exist.`, 'Create it, or name another one.');
      case 'EACCES':
      case 'EPERM':
        throw usageFailure(
          `The directory "${path}" may not be read.`,
          'Change its permissions, or name another one.',
        );
      default:
        throw error;
    }
  }
}
