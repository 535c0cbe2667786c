import { idPrefix } from '../../../../shared/domain/ids.ts';
import { selfOrigin, viewersRoute, type Route } from '../../../../shared/domain/origin-route.ts';
import { nextTaskWake, type TaskEnd, taskEndedText } from '../../../../shared/domain/tasks.ts';
import { admitWake } from './admit-wake.ts';
import type { SessionDraft } from './session-draft.ts';
import { noTasks, takeEndedTask, unseenEnd } from './tasks.ts';
import type { Tx } from './tx.ts';

/** Stores how a task ended and, where the model does not know it already, the wake that tells; the number that still run. */
export function endTask(tx: Tx, session: string, task: string, end: TaskEnd): number {
  const draft = tx.session(session);
  const ended = takeEndedTask(tx, draft, task, end);
  if (ended) {
    const text = taskEndedText(ended, end, tx.now);
    if (end.how === 'exited' || end.how === 'timed_out' || end.how === 'lost')
      tell(tx, draft, { text, route: ended.route, key: task });
    // Whoever stopped the work does not want it to go on: the model reads it with the next step.
    else if (end.how === 'interrupted') keep(draft, text);
  }
  return draft.row.tasks?.running.length ?? 0;
}

/** The worker is gone and its tasks with it: their outcome is not known, which the model is told once. */
export function loseTasks(tx: Tx, draft: SessionDraft): void {
  const running = draft.row.tasks?.running ?? [];
  const [first] = running;
  if (!first) return;
  const end = unseenEnd('lost');
  const texts = running.map((task) => {
    takeEndedTask(tx, draft, task.id, end);
    return taskEndedText(task, end, tx.now);
  });
  tell(tx, draft, { text: texts.join('\n\n'), route: first.route, key: first.id });
}

/** A person ended the tasks of a session that does nothing else: the model reads it with its next step. False when none ran. */
export function interruptTasks(tx: Tx, draft: SessionDraft): boolean {
  const running = draft.row.tasks?.running ?? [];
  const end = unseenEnd('interrupted');
  for (const task of running) {
    takeEndedTask(tx, draft, task.id, end);
    keep(draft, taskEndedText(task, end, tx.now));
  }
  return running.length > 0;
}

/** What was kept for the next step is a message of it now; false when nothing was. */
export function tellKept(tx: Tx, draft: SessionDraft): boolean {
  const { tasks } = draft.row;
  if (!tasks || tasks.untold.length === 0) return false;
  draft.set({ tasks: { ...tasks, untold: [] } });
  const text = tasks.untold.join('\n\n');
  admit(tx, draft, { text, route: viewersRoute, key: tx.ids.next(idPrefix.task) }, tx.now);
  return true;
}

interface Telling {
  readonly text: string;
  readonly route: Route;
  readonly key: string;
}

function tell(tx: Tx, draft: SessionDraft, telling: Telling): void {
  const tasks = draft.row.tasks ?? noTasks;
  const { at, told } = nextTaskWake(tasks.told, tx.now);
  draft.set({ tasks: { ...tasks, told } });
  admit(tx, draft, telling, at);
}

function admit(tx: Tx, draft: SessionDraft, { text, route, key }: Telling, availableAt: number): void {
  admitWake(tx, {
    session: draft.id,
    kind: 'task_ended',
    mode: 'next_step',
    origin: selfOrigin,
    route,
    dedupeKey: `task:${key}`,
    text,
    availableAt,
  });
}

function keep(draft: SessionDraft, text: string): void {
  const tasks = draft.row.tasks ?? noTasks;
  draft.set({ tasks: { ...tasks, untold: [...tasks.untold, text].slice(-mostKept) } });
}

const mostKept = 20;
