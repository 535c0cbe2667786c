import { execFile } from 'node:child_process';

/** How a program ended. */
export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; a code other than 0 is a result, not an error. */
export function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    execFile(program, [...args], { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });
}
