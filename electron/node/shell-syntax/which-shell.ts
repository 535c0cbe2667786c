import { access, constants } from 'node:fs/promises';

/** The language that the commands of a session are read in: bash, the one of macOS (3.2), or a plain POSIX shell. */
export type ShellDialect = 'bash' | 'old-bash' | 'sh';

/** The shell that runs commands; `options` make it read no file and take nothing from outside before the command. */
export interface FoundShell {
  readonly path: string;
  readonly options: readonly string[];
  readonly dialect: ShellDialect;
}

const bash = '/bin/bash';

/** bash where there is one, else sh. */
export async function findShell(): Promise<FoundShell> {
  return access(bash, constants.X_OK).then(
    () => ({
      path: bash,
      options: ['--norc', '--noprofile'],
      dialect: process.platform === 'darwin' ? 'old-bash' : 'bash',
    }),
    () => ({ path: '/bin/sh', options: [], dialect: 'sh' }),
  );
}
