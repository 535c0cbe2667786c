import { homedir, userInfo } from 'node:os';
import type { Clock, Ids } from '../../shared/base/ports.ts';
import { errorCode, errorMessage } from '../../shared/base/errors.ts';
import { type OwnedChild, startChild } from './child.ts';
import { type Environment, definedVariables, parseShellOutput } from './environment-text.ts';

/** The person's environment, where it came from, and, when it is only this process's own, why. */
export interface LoginEnvironment {
  readonly env: Environment;
  readonly source: 'login-shell' | 'process';
  readonly shell: string;
  /** A clause without a full stop. */
  readonly reason?: string;
  /** What a person can do about that, a clause without a full stop too. */
  readonly mend?: string;
}

/** Why the shell's variables are not there, and what to do about it. */
interface Silence {
  readonly reason: string;
  readonly mend: string;
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
    const { shell } = userInfo();
    return shell === null || shell === '' ? '/bin/sh' : shell;
  } catch {
    // No entry for this user (containers): the shell that every system has.
    return '/bin/sh';
  }
}

/** Why a shell did not start. */
function notStarted(error: unknown, shell: string): Silence {
  switch (errorCode(error)) {
    case 'program-missing':
      return { reason: `"${shell}" does not exist`, mend: 'Set SHELL to a shell that exists' };
    case 'program-not-executable':
      return { reason: `"${shell}" may not be executed`, mend: 'Set SHELL to a shell that you may run' };
    case 'directory-missing':
      return {
        reason: `the home directory "${homedir()}" does not exist`,
        mend: 'Make it, or set HOME to yours',
      };
    default:
      return { reason: errorMessage(error).replace(/\.$/, ''), mend: 'Set SHELL to your shell' };
  }
}

/** A shell to ask, and with what mark around its answer. */
interface Question {
  readonly shell: string;
  readonly marker: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** What asking a shell gave. */
type Answer =
  | { readonly kind: 'variables'; readonly variables: Environment }
  | { readonly kind: 'silence'; readonly why: Silence };

/** Resolves with the variables, or with why there are none. */
function readVariables(child: OwnedChild, { shell, marker, timeoutMs, clock }: Question) {
  return new Promise<Answer>((resolve) => {
    const giveUp = (reason: string, mend: string): void =>
      resolve({ kind: 'silence', why: { reason, mend } });
    let output = '';
    const startUp = 'Mend the start-up files of your shell';
    const cancel = clock.after(timeoutMs, () => {
      giveUp(`"${shell}" did not answer within ${timeoutMs / 1000} s`, startUp);
    });
    const look = (): boolean => {
      const variables = parseShellOutput(output, marker);
      if (variables !== undefined) resolve({ kind: 'variables', variables });
      return variables !== undefined;
    };
    child.process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (text.includes('\0') || output.includes(marker)) look();
      if (output.length > longestOutput) giveUp(`the start-up files of "${shell}" print too much`, startUp);
    });
    child.process.once('close', (code) => {
      cancel();
      const reason = `"${shell}" ended with code ${code} and printed no variables`;
      const mend = 'Set SHELL to your shell, or mend its start-up files';
      if (!look()) giveUp(reason, mend);
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
  const fallback = (why: Silence): LoginEnvironment => ({ env: own, source: 'process', shell, ...why });
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
    return fallback(notStarted(error, shell));
  }
  const { clock, timeoutMs = 10_000 } = options;
  const answer = await readVariables(child, { shell, marker, timeoutMs, clock });
  // Start-up files may hold locks that their EXIT traps remove: ask first, in the background, kill later.
  void child.stop({ graceMs: stopGraceMs }).then(() => child.process.stdout?.destroy());
  if (answer.kind === 'silence') return fallback(answer.why);
  const { [resolvingVariable]: _asked, ...env } = answer.variables;
  return { env, source: 'login-shell', shell };
}
