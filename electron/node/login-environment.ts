import { homedir, userInfo } from 'node:os';
import type { Clock, Ids } from '../../shared/base/ports.ts';
import { errorMessage } from '../../shared/base/errors.ts';
import { type OwnedChild, startChild } from './child.ts';
import { type Environment, definedVariables, parseShellOutput } from './environment-text.ts';

/** The person's environment, where it came from, and, when it is only this process's own, why. */
export interface LoginEnvironment {
  readonly env: Environment;
  readonly source: 'login-shell' | 'process';
  readonly shell: string;
  readonly reason?: string;
}

/** `env` is the environment to start from and to fall back to; the shell gets `timeoutMs` (default 10 s). */
export interface LoginEnvironmentOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly timeoutMs?: number;
}

/** Start-up files can look at this variable to skip slow or talkative parts. */
const resolvingVariable = 'KAIROS_RESOLVING_ENVIRONMENT';

/** Between SIGTERM and SIGKILL for a login shell that did not end by itself. */
const stopGraceMs = 3_000;

/** More than any environment; a start-up file that floods its output is not read to the end. */
const longestOutput = 4 * 1024 * 1024;

function loginShell(env: LoginEnvironmentOptions['env']): string {
  if (env.SHELL !== undefined && env.SHELL !== '') return env.SHELL;
  try {
    return userInfo().shell ?? '/bin/sh';
  } catch {
    // No entry for this user (containers): the shell that every system has.
    return '/bin/sh';
  }
}

/** Resolves with the variables, or with the sentence that says why there are none. */
function readVariables(child: OwnedChild, marker: string, timeoutMs: number, clock: Clock) {
  return new Promise<Environment | string>((resolve) => {
    let output = '';
    const cancel = clock.after(timeoutMs, () => {
      resolve(`the login shell did not answer within ${timeoutMs / 1000} s`);
    });
    const look = (): boolean => {
      const variables = parseShellOutput(output, marker);
      if (variables !== undefined) resolve(variables);
      return variables !== undefined;
    };
    child.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (text.includes('\0') || output.includes(marker)) look();
      if (output.length > longestOutput) resolve('the start-up files of the login shell print too much');
    });
    child.process.once('close', (code) => {
      cancel();
      if (!look()) resolve(`the login shell ended with code ${code} without printing its variables`);
    });
    void child.exited.then(cancel);
  });
}

/**
 * Reads the environment that the person has in a terminal, by asking their login shell once ($SHELL -l -i). Never throws: when
 * the shell is missing, slow (it is killed with its group) or silent, the answer is `options.env` with the reason.
 */
export async function readLoginEnvironment(options: LoginEnvironmentOptions): Promise<LoginEnvironment> {
  const shell = loginShell(options.env);
  const own = definedVariables(options.env);
  const fallback = (reason: string): LoginEnvironment => ({ env: own, source: 'process', shell, reason });
  if (process.platform === 'win32') return { env: own, source: 'process', shell: '' };
  const marker = `kairos-${options.ids.random(12)}`;
  const command = `printf %s ${marker}; /usr/bin/env -0; printf %s ${marker}; exit 0`;
  let child: OwnedChild;
  try {
    child = await startChild(
      {
        command: shell,
        args: ['-l', '-i', '-c', command],
        cwd: homedir(),
        // Without `_`: dash would go on exporting it, with our marker as its value.
        env: { ...own, _: undefined, [resolvingVariable]: '1' },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
      options.clock,
    );
  } catch (error) {
    return fallback(errorMessage(error));
  }
  const answer = await readVariables(child, marker, options.timeoutMs ?? 10_000, options.clock);
  // Start-up files may hold locks that their EXIT traps remove: ask first, in the background, kill later.
  void child.stop({ graceMs: stopGraceMs }).then(() => child.process.stdout?.destroy());
  if (typeof answer === 'string') return fallback(answer);
  const { [resolvingVariable]: _asked, ...env } = answer;
  return { env, source: 'login-shell', shell };
}
