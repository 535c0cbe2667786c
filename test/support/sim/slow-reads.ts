import type { MemoryStore } from '../../../electron/daemon/events/memory/memory-store.ts';
import type { Life } from './life.ts';
import type { Scheduler } from './scheduler.ts';

const reads = [
  'session',
  'summaries',
  'runnable',
  'nextDue',
  'events',
  'message',
  'calls',
  'effect',
  'openEffects',
  'prompt',
  'prompts',
  'offers',
  'rules',
  'blob',
] as const satisfies readonly (keyof MemoryStore)[];

/** A store whose answers to questions are true when they are given and arrive later, in any order. */
export function slowReads(store: MemoryStore, scheduler: Scheduler, life: Life): MemoryStore {
  const slow: Record<string, unknown> = {};
  for (const name of reads) {
    const read = store[name] as (...given: unknown[]) => Promise<unknown>;
    slow[name] = async (...given: unknown[]) => {
      const answer = await read(...given);
      if (life.alive) await scheduler.reach(`read ${name}`, life, 'read');
      return answer;
    };
  }
  return { ...store, ...slow };
}
