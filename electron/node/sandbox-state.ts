import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage } from '../../shared/base/errors.ts';
import { seatbeltProblem } from './seatbelt-check.ts';

const run = promisify(execFile);

/** Where programs of the system are. A search path could lead into a folder that the agent writes to. */
const programFolders = ['/usr/bin', '/usr/local/bin', '/bin', '/run/current-system/sw/bin'];

/** What bubblewrap on this machine can do. */
export interface Bubblewrap {
  readonly program: string;
  /** It can take away user namespaces from what it runs (since 0.8.0, not when setuid). */
  readonly disablesNamespaces: boolean;
}

/** What shuts commands in: bubblewrap on Linux; Seatbelt on macOS, by its `sandbox-exec`. */
export type SandboxMeans =
  | { readonly by: 'bubblewrap'; readonly bubblewrap: Bubblewrap; readonly socat: string | null }
  | { readonly by: 'seatbelt'; readonly program: string };

/** Whether commands can run shut in on this machine. `why` and `next`: one sentence each, for people. */
export type SandboxState =
  | ({ readonly kind: 'ready' } & SandboxMeans)
  | { readonly kind: 'missing'; readonly why: string; readonly next: string };

async function systemProgram(name: string): Promise<string | null> {
  for (const folder of programFolders) {
    const path = join(folder, name);
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return path;
  }
  return null;
}

const longestTryMs = 10_000;
const install = 'Install it: apt-get install bubblewrap socat (or the packages of your system).';

/** Part of macOS; Apple calls it deprecated and uses it all the same. */
const sandboxExec = '/usr/bin/sandbox-exec';
const withoutOne = 'Set sandbox.mode to off: every command then asks.';

/**
 * Finds out by trying: a program that is there may still not be allowed to make namespaces, and what Seatbelt keeps out differs between
 * versions of macOS. `seatbelt`: the program of Seatbelt.
 */
export async function findSandbox(
  platform: NodeJS.Platform = process.platform,
  seatbelt = sandboxExec,
): Promise<SandboxState> {
  if (platform === 'darwin') return triedSeatbelt(seatbelt);
  if (platform !== 'linux') {
    const name = platform === 'win32' ? 'Windows' : platform;
    return { kind: 'missing', why: `There is no sandbox for ${name} in this version.`, next: withoutOne };
  }
  const program = await systemProgram('bwrap');
  if (program === null)
    return { kind: 'missing', why: 'The sandbox needs bubblewrap, which is not installed.', next: install };
  const socat = await systemProgram('socat');
  const strict = await tried(program, ['--disable-userns']);
  if (strict === null) return ready(program, true, socat);
  const plain = await tried(program, []);
  return plain === null ? ready(program, false, socat) : unable(plain);
}

async function triedSeatbelt(program: string): Promise<SandboxState> {
  const problem = await seatbeltProblem(program);
  if (problem === null) return { kind: 'ready', by: 'seatbelt', program };
  return {
    kind: 'missing',
    why: `The sandbox of macOS does not do here what it has to (${problem}).`,
    next: withoutOne,
  };
}

function ready(program: string, disablesNamespaces: boolean, socat: string | null): SandboxState {
  return { kind: 'ready', by: 'bubblewrap', bubblewrap: { program, disablesNamespaces }, socat };
}

function unable(problem: string): SandboxState {
  return {
    kind: 'missing',
    why: `The system does not let bubblewrap make a sandbox (${problem}).`,
    next: 'Allow user namespaces for it (sysctl kernel.unprivileged_userns_clone=1 or user.max_user_namespaces; on Ubuntu an AppArmor profile for bwrap); in a container they may be impossible.',
  };
}

/** Two stages as a command has them. null: it works; otherwise what the program said. */
async function tried(program: string, more: readonly string[]): Promise<string | null> {
  const spaces = ['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--die-with-parent'];
  const places = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/run'];
  try {
    const root = process.getuid?.() === 0 ? ['--cap-add', 'CAP_SETFCAP'] : [];
    const second = [program, '--unshare-user', ...more, '--cap-drop', 'ALL', '--dev-bind', '/', '/'];
    const args = [...spaces, '--cap-drop', 'ALL', ...root, ...places, '--', ...second];
    args.push('--remount-ro', '/proc', '--', '/bin/sh', '-c', ':');
    await run(program, args, { cwd: '/', env: {}, timeout: longestTryMs });
    return null;
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim() ?? '';
    return said === '' ? errorMessage(error) : (said.split('\n')[0] ?? '');
  }
}
