import { readCompaction } from './compaction-text.ts';
import { type Compacted, type CompactionWay, compactContext } from './compact.ts';
import type { Work } from './work.ts';

/** Compacts the context with PreCompact hooks before it and PostCompact and SessionStart hooks after it; none of them can prevent it. */
export async function hookedCompaction(work: Work, turn: string, way: CompactionWay): Promise<Compacted> {
  const { hooks, port, conversation } = work;
  await hooks.fire({ event: 'PreCompact', trigger: 'auto' }, port.interrupt);
  const made = await compactContext(work, turn, way);
  if (made !== 'done') return made;
  const summary =
    conversation.compaction === null ? '' : readCompaction(conversation.compaction.text).summary;
  await hooks.fire({ event: 'PostCompact', trigger: 'auto', summary }, port.interrupt);
  return made;
}
