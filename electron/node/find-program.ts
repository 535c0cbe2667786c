import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { KairosError } from '../../shared/base/errors.ts';

/** Why a child could not be started. */
export type ChildErrorCode =
  | 'program-missing'
  | 'program-not-executable'
  | 'directory-missing'
  | 'too-many-stdio'
  | 'spawn-failed';

/** A child that did not start: `code` says why, `next` what to do. */
export class ChildError extends KairosError {
  declare readonly code: ChildErrorCode;

  constructor(code: ChildErrorCode, message: string, options: { cause?: unknown; next?: string } = {}) {
    super(code, message, options);
    this.name = 'ChildError';
  }
}

const fallbackPath = '/usr/local/bin:/usr/bin:/bin';

async function isProgram(path: string): Promise<'yes' | 'not-executable' | 'no'> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) return 'no';
  return access(path, constants.X_OK).then(
    () => 'yes',
    () => 'not-executable',
  );
}

function candidates(command: string, cwd: string, path: string): string[] {
  if (isAbsolute(command)) return [command];
  if (command.includes('/')) return [resolve(cwd, command)];
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(resolve(cwd, folder), command));
}

/**
 * Absolute path of a program, found as a shell would: as given when it has a slash (relative to `cwd`), else along `path`
 * (the PATH that the child will have). Throws ChildError `program-missing` or `program-not-executable`.
 */
export async function findProgram(command: string, cwd: string, path = fallbackPath): Promise<string> {
  let refused: string | undefined;
  for (const candidate of candidates(command, cwd, path)) {
    const answer = await isProgram(candidate);
    if (answer === 'yes') return candidate;
    if (answer === 'not-executable') refused ??= candidate;
  }
  if (refused !== undefined) {
    throw new ChildError('program-not-executable', `"${refused}" exists but may not be executed.`, {
      next: `Make it executable (chmod +x) or name another program.`,
    });
  }
  throw new ChildError('program-missing', `The program "${command}" was not found.`, {
    next: command.includes('/')
      ? 'Check the path in the configuration.'
      : `Install "${command}", or write its full path; searched: ${path}`,
  });
}

/** Throws ChildError `directory-missing` unless `cwd` is a directory: without this the system blames the program. */
export async function requireDirectory(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new ChildError('directory-missing', `The working directory "${cwd}" does not exist.`, {
    next: 'Create it or choose another directory.',
  });
}
