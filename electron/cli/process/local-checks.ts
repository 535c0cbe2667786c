import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import { acquireExclusiveLock } from '../../node/exclusive-lock.ts';
import type { DoctorCheck } from '../../../shared/protocol/bridge.ts';
import type { CliContext } from '../context.ts';
import { buildIt } from '../failure.ts';
import { misplacedEntry } from '../../node/home.ts';
import { whatInsteadOfFile } from '../../node/regular-file.ts';
import { checkStore } from './check-store.ts';
import { lockHolder } from './lock-holders.ts';

const programs = ['supervisor.js', 'daemon.js', 'worker.js', 'parser.js', 'reader.js'];
const megabyte = 1024 * 1024;

function ok(name: string, detail: string): DoctorCheck {
  return { name, state: 'ok', detail, next: '' };
}

function checkHome({ home }: CliContext): DoctorCheck {
  try {
    const status = statSync(home.home);
    const fail = (detail: string, next: string): DoctorCheck => ({
      name: 'home',
      state: 'fail',
      detail,
      next,
    });
    if (!status.isDirectory())
      return fail(`"${home.home}" is not a directory.`, 'Move it away or set KAIROS_HOME.');
    if (process.getuid !== undefined && status.uid !== process.getuid()) {
      return fail(`"${home.home}" belongs to another user.`, 'Set KAIROS_HOME to a directory of your own.');
    }
    if (process.platform !== 'win32' && (status.mode & 0o077) !== 0) {
      return fail(`"${home.home}" can be read by others.`, `Run: chmod 700 "${home.home}"`);
    }
    const misplaced = misplacedEntry(home.home);
    if (misplaced !== null) return fail(misplaced, 'Move it away.');
    return ok('home', home.home);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ok('home', `${home.home} (made at the first start)`);
    const next = 'Check its permissions, or set KAIROS_HOME.';
    return { name: 'home', state: 'fail', detail: errorMessage(error), next };
  }
}

function checkRuntime(): DoctorCheck {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return ok('runtime', `Node ${process.versions.node}`);
  const detail = `Node ${process.versions.node} is too old.`;
  return { name: 'runtime', state: 'fail', detail, next: 'Install Node 24 (https://nodejs.org).' };
}

function checkBuild(context: CliContext): DoctorCheck {
  const missing = programs.filter((name) => !existsSync(join(context.programs, name)));
  if (missing.length === 0) return ok('build', `${context.version()} in ${context.programs}`);
  const detail = `Missing from ${context.programs}: ${missing.join(', ')}`;
  return { name: 'build', state: 'fail', detail, next: buildIt };
}

async function checkLock({ home }: CliContext): Promise<DoctorCheck> {
  if (!existsSync(home.lockDb)) return ok('lock', 'free');
  try {
    const answer = acquireExclusiveLock(home.lockDb, home.daemonFile);
    if (answer.kind === 'acquired') {
      answer.release();
      return ok('lock', 'free');
    }
    const detail = `The state directory is locked by ${await lockHolder(home.lockDb)}.`;
    const next = 'Stop it with: kairos daemon stop; if it is no daemon, end that process.';
    return { name: 'lock', state: 'fail', detail, next };
  } catch (error) {
    const next = error instanceof Error && 'next' in error ? String(error.next) : '';
    return { name: 'lock', state: 'fail', detail: errorMessage(error), next };
  }
}

function checkSettings({ home }: CliContext): DoctorCheck {
  const instead = whatInsteadOfFile(home.settingsFile);
  if (instead !== undefined) {
    const detail = `"${home.settingsFile}" is ${instead}, not a file.`;
    return { name: 'settings', state: 'fail', detail, next: 'Move it away for defaults.' };
  }
  try {
    JSON.parse(readFileSync(home.settingsFile, 'utf8'));
    return ok('settings', home.settingsFile);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ok('settings', 'none, all defaults');
    const detail = `"${home.settingsFile}" cannot be used: ${errorMessage(error)}`;
    return {
      name: 'settings',
      state: 'fail',
      detail,
      next: 'Correct it in an editor, or move it away for defaults.',
    };
  }
}

function checkDisk({ home }: CliContext): DoctorCheck {
  const folder = existsSync(home.home) ? home.home : dirname(home.home);
  try {
    const { bavail, bsize } = statfsSync(folder);
    const free = Math.floor((bavail * bsize) / megabyte);
    if (free >= 1024) return ok('disk', `${Math.floor(free / 1024)} GB free`);
    const detail = `Only ${free} MB are free for ${home.home}.`;
    return { name: 'disk', state: free < 100 ? 'fail' : 'warn', detail, next: 'Free some space.' };
  } catch (error) {
    return {
      name: 'disk',
      state: 'warn',
      detail: errorMessage(error),
      next: 'Check that the disk is mounted.',
    };
  }
}

/** What can be said about this installation and its home without a daemon; changes nothing. */
export async function localChecks(context: CliContext): Promise<DoctorCheck[]> {
  return [
    checkRuntime(),
    checkBuild(context),
    checkHome(context),
    await checkLock(context),
    checkSettings(context),
    checkDisk(context),
    checkStore(context.home.storeDb),
  ];
}
