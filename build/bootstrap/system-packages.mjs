import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './spawn.mjs';

/**
 * Debian packages the tests use: the package, the commands that show it is there, and what it is for.
 * A test whose package is missing says so in one skip line; it does not fail.
 */
export const systemPackages = [
  { name: 'chromium', commands: ['chromium', 'chromium-browser', 'google-chrome'], use: 'the browser tests' },
  { name: 'tmux', commands: ['tmux'], use: 'the tests of the terminal viewer' },
  { name: 'strace', commands: ['strace'], use: 'the fuzz of shell rules' },
  { name: 'bubblewrap', commands: ['bwrap'], use: 'the tests of the sandbox' },
  { name: 'socat', commands: ['socat'], use: 'the network of the sandbox' },
];

/** Whether one of the commands is on a search path (PATH's format); the existence test can be replaced. */
export function hasCommand(commands, searchPath, exists = existsSync) {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  return commands.some((command) => folders.some((folder) => exists(join(folder, command))));
}

function canInstall() {
  return process.getuid?.() === 0 && hasCommand(['apt-get'], process.env.PATH ?? '');
}

async function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { code } = await run('apt-get', ['-qq', '-o', 'Dpkg::Use-Pty=0', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return code === 0;
}

/** Installs what the table names and the machine lacks, where that is possible; otherwise prints one line that says what to install. */
export async function ensureSystemPackages() {
  const missing = systemPackages.filter(({ commands }) => !hasCommand(commands, process.env.PATH ?? ''));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);
  const uses = missing.map(({ use }) => use).join(', ');
  if (canInstall()) {
    process.stderr.write(`kairos: installing ${names.join(' ')} with apt-get, for ${uses}\n`);
    await aptGet(['update']);
    if (await aptGet(['install', '-y', '--no-install-recommends', ...names])) return;
  }
  process.stderr.write(
    `kairos: not installed: ${names.join(' ')}; ${uses} will be skipped (apt-get install ${names.join(' ')})\n`,
  );
}
