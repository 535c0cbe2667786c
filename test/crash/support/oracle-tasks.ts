import type { ExportedEvent } from '../../support/real/kairos.ts';

/** Ends that the model hears of by a message of their own. */
const told = new Set(['exited', 'timed_out', 'lost']);

/** Each background task ends once, and an end that the model cannot know is told to it exactly once. */
export function checkTasks(log: readonly ExportedEvent[], say: (text: string) => unknown): void {
  const texts = log
    .filter(({ type, body }) => type === 'message.received' && body.kind === 'task_ended')
    .map(({ body }) => String(body.text));
  for (const { body } of log.filter(({ type }) => type === 'task.began')) {
    const task = String(body.task);
    const ends = log.filter((event) => event.type === 'task.ended' && event.body.task === task);
    if (ends.length !== 1) say(`task ${task} ended ${ends.length} times`);
    const times = texts.filter((text) => text.includes(task)).length;
    const wanted = told.has(ends[0]?.body.how) ? 1 : 0;
    if (ends.length === 1 && wanted > times) say(`the end of task ${task} was told ${times} times`);
    if (times > 1) say(`the end of task ${task} was told ${times} times`);
  }
}
