import type { TaskEnd } from '../../../../shared/domain/tasks.ts';
import { viewersRoute, type Route } from '../../../../shared/domain/origin-route.ts';
import type { NewTask } from '../task-port.ts';
import type { BackgroundTask, SessionTasks } from '../rows.ts';
import { wakes } from '../rows/tables.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Tx } from './tx.ts';

/** What a session without tasks has. */
export const noTasks: SessionTasks = { running: [], told: [], untold: [] };

/** Stores that a task is about to begin; the number that run. A second time changes nothing. */
export function beginTask(tx: Tx, session: string, { task, call, title, output }: NewTask): number {
  const draft = tx.session(session);
  const tasks = draft.row.tasks ?? noTasks;
  if (tasks.running.some(({ id }) => id === task)) return tasks.running.length;
  const begun = { id: task, call, title, output, beganAt: tx.now, route: routeOfTurn(tx, draft) };
  const running = [...tasks.running, begun];
  draft.set({ tasks: { ...tasks, running } });
  tx.append(draft, { type: 'task.began', body: { task, call, title, output } });
  return running.length;
}

/** The end is told where the answers of the turn that began it go. */
function routeOfTurn(tx: Tx, draft: SessionDraft): Route {
  const [first] = tx.rows.find(wakes, { eq: { session: draft.id, state: 'consumed' }, limit: 1 });
  return first?.route ?? viewersRoute;
}

/** Takes a task off the list with its event; null when it is not there (any more). */
export function takeEndedTask(
  tx: Tx,
  draft: SessionDraft,
  task: string,
  end: TaskEnd,
): BackgroundTask | null {
  const tasks = draft.row.tasks ?? noTasks;
  const found = tasks.running.find(({ id }) => id === task);
  if (!found) return null;
  draft.set({ tasks: { ...tasks, running: tasks.running.filter((other) => other !== found) } });
  const { how, code, signal } = end;
  tx.append(draft, { type: 'task.ended', body: { task, title: found.title, how, code, signal } });
  return found;
}

/** The end of a task that nobody saw ending. */
export function unseenEnd(how: TaskEnd['how']): TaskEnd {
  return { how, code: null, signal: null, tail: '', bytes: 0 };
}

/** The session is put away for good: its tasks end with it, nobody is told. */
export function archiveTasks(tx: Tx, draft: SessionDraft): void {
  for (const { id } of draft.row.tasks?.running ?? []) takeEndedTask(tx, draft, id, unseenEnd('archived'));
}
