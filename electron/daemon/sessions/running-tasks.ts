import { KairosError } from '../../../shared/base/errors.ts';
import type { SessionRow } from '../events/rows.ts';

/** Throws `tasks_running` while background tasks run: what gives the session a new lease ends them. */
export function checkNoTasks({ id, name, tasks }: Pick<SessionRow, 'id' | 'name' | 'tasks'>): void {
  const count = tasks?.running.length ?? 0;
  if (count === 0) return;
  const run = count === 1 ? '1 command runs' : `${count} commands run`;
  throw new KairosError(
    'tasks_running',
    `Not changed: ${run} in the background of ${name ?? id}, and the change would end ${count === 1 ? 'it' : 'them'}.`,
    {
      next: `Wait until ${count === 1 ? 'it ends' : 'they end'}, tell the session to stop ${count === 1 ? 'it' : 'them'}, or run: kairos interrupt ${name ?? id}`,
    },
  );
}
