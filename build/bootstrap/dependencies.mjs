import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { fromRoot } from '../paths.mjs';
import { withLock } from './lock.mjs';
import { run } from './spawn.mjs';

const lockFile = fromRoot('package-lock.json');
const marker = fromRoot('node_modules', '.kairos-lock');

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function lockHash() {
  const text = read(lockFile);
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
}

/**
 * Whether the packages npm recorded as installed are those the lock file names; both are parsed lock files.
 * Optional packages may be absent: npm leaves out those of other systems.
 */
export function isInstalled(wanted, installed) {
  const present = installed.packages ?? {};
  const names = Object.keys(wanted.packages ?? {}).filter((name) => name !== '');
  const known = new Set(names);
  return (
    names.every((name) => {
      const found = present[name];
      if (found === undefined) return wanted.packages[name].optional === true;
      return found.version === wanted.packages[name].version;
    }) && Object.keys(present).every((name) => known.has(name))
  );
}

function isInstalledByHand() {
  const installed = read(fromRoot('node_modules', '.package-lock.json'));
  const wanted = read(lockFile);
  return (
    installed !== undefined && wanted !== undefined && isInstalled(JSON.parse(wanted), JSON.parse(installed))
  );
}

/** npm empties the folder that a linked node_modules leads to, which belongs to somebody else; null when it is no link. */
export function linkProblem(folder) {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return null;
  return `${folder} is a link, and npm ci would empty the folder it leads to; remove the link (rm "${folder}") and try again`;
}

async function install() {
  const problem = linkProblem(fromRoot('node_modules'));
  if (problem !== null) throw new Error(problem);
  process.stderr.write('kairos: installing packages (npm ci)\n');
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // stdout of the entry belongs to its caller, so npm's goes to stderr; npm must not read a closed or foreign stdin.
  const shell = process.platform === 'win32';
  const { code } = await run('npm', args, { cwd: fromRoot(), stdio: ['ignore', 2, 2], shell });
  if (code !== 0) throw new Error(`npm ci failed (exit code ${code}); its messages are above`);
}

/** Makes node_modules match package-lock.json, with `npm ci` only when it does not; a package without a lock file is left alone. */
export async function ensureDependencies() {
  const hash = lockHash();
  if (hash === undefined || read(marker) === hash) return;
  await withLock(fromRoot('.install-lock'), async () => {
    if (read(marker) === hash) return;
    // Someone who ran `npm install` has the same packages already; deleting them under running processes would hurt.
    if (!isInstalledByHand()) await install();
    writeFileSync(marker, hash);
  });
}
