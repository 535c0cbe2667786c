import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { oneLine } from '../../../shared/base/visible-text.ts';
import { errorCode } from '../../../shared/base/errors.ts';
import { systemProcesses } from '../../node/process-table.ts';

function openFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => readlinkSync(`/proc/${pid}/fd/${name}`));
  } catch {
    // Gone meanwhile, or another user's: nothing can be said about it.
    return [];
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The processes of this user, except this one, that have a file open, as `123 (command line)`. Linux only; elsewhere and when
 * nothing can be seen the list is empty.
 */
async function processesHolding(path: string): Promise<string[]> {
  const real = realPath(path);
  if (process.platform !== 'linux' || real === undefined) return [];
  const others = (await systemProcesses.list()).filter(({ pid }) => pid !== process.pid);
  const holders = others.filter(({ pid }) => openFiles(pid).includes(real));
  return Promise.all(
    holders.map(async ({ pid, name }) => {
      const command = await systemProcesses.commandLine(pid);
      return `${pid} (${oneLine(command === '' ? name : command, 80)})`;
    }),
  );
}

/** One phrase that says who holds the lock of a home: `process 123 (node ...)`, or that it cannot be told. */
export async function lockHolder(lockDb: string): Promise<string> {
  const holders = await processesHolding(lockDb);
  return holders.length === 0
    ? 'a process that cannot be seen from here'
    : `process ${holders.join(' and process ')}`;
}
