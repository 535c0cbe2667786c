import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Clock } from '../../../shared/base/ports.ts';
import { killTree, signalGroup } from '../../node/process-group.ts';
import { isAlive } from '../../node/process-table.ts';

const longestEndMs = 2_000;
const lookAgainMs = 2;

/** What runs inside, as the machine sees it. */
export interface InsideProcess {
  /** Asks what runs to end (SIGTERM to its group); everything at once when that cannot be done. */
  terminate(): void;
  /** Resolves when nothing of it is left, a moment after bubblewrap's own end. */
  gone(clock: Clock): Promise<void>;
}

/** Follows what bubblewrap tells on its descriptor: the pid of its first process. `outer`: the group that holds bubblewrap itself. */
export function followInside(told: Readable, outer: number): InsideProcess {
  let text = '';
  told.on('data', (chunk: Uint8Array) => {
    text += Buffer.from(chunk).toString('latin1');
  });
  const firstPid = (): number => Number(/"child-pid": (\d+)/.exec(text)?.[1] ?? 0);
  return {
    async gone(clock) {
      const first = firstPid();
      const until = clock.monotonic() + longestEndMs;
      // The kernel ends what is inside before the first process, which is killed with bubblewrap, is done.
      while (first !== 0 && (await isAlive(first)) && clock.monotonic() < until) {
        await new Promise<void>((resolve) => clock.after(lookAgainMs, resolve));
      }
    },
    terminate() {
      const first = firstPid();
      if (first === 0) return killTree(outer);
      void commandGroup(first).then(
        (group) => signalGroup(group, 'SIGTERM'),
        () => killTree(outer),
      );
    },
  };
}

/** The command leads a group of its own below the inner bubblewrap. Rejects when it has ended. */
async function commandGroup(first: number): Promise<number> {
  for (const inner of await children(first))
    for (const child of await children(inner)) if ((await groupOf(child)) === child) return child;
  throw new Error('nothing runs inside');
}

async function children(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text
    .split(' ')
    .filter((part) => part !== '')
    .map(Number);
}

async function groupOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
}
