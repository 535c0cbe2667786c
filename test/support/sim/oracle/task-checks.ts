import type { TaskEndKind } from '../../../../shared/domain/tasks.ts';
import type { StartedTask } from '../ledgers.ts';
import type { EventOf, Facts, Violation } from './facts.ts';

/** Ends that the model hears of by a message of their own; of a stop by a person it reads with the next step. */
const told: ReadonlySet<TaskEndKind> = new Set(['exited', 'timed_out', 'lost']);

/** Background tasks run only when their beginning is stored, end once, as they did, and the model is told exactly once. */
export function checkTasks(facts: Facts): Violation[] {
  const began = facts.of('task.began');
  return [
    ...facts.ledgers.tasks.flatMap((task) => checkStarted(began, task)),
    ...began.flatMap((event) => checkTask(facts, event)),
  ];
}

function checkStarted(began: readonly EventOf<'task.began'>[], started: StartedTask): Violation[] {
  const stored = began.filter(({ body }) => body.task === started.task);
  if (stored.length !== 1) return [`task ${started.task} ran and was stored ${stored.length} times`];
  return (stored[0]?.id ?? 0) <= started.lastEvent
    ? []
    : [`task ${started.task} ran before its beginning was stored`];
}

function checkTask(facts: Facts, { body: { task }, session }: EventOf<'task.began'>): Violation[] {
  const ends = facts.of('task.ended').filter(({ body }) => body.task === task);
  const [end] = ends;
  if (!end || ends.length > 1) return [`task ${task} ended ${ends.length} times`];
  const { how } = end.body;
  const started = facts.ledgers.tasks.find((each) => each.task === task);
  if (how === 'exited' && started?.ended !== 'exited')
    return [`task ${task} counts as exited and ${started ? 'did not' : 'never ran'}`];
  // A person's interrupt between turns is the store's own act: whatever became of the worker in that instant, it was stopped by them.
  const byPerson = how === 'interrupted' && facts.ledgers.interruptsTried.has(session);
  if (!['exited', 'lost', 'archived'].includes(how) && how !== started?.ended && !byPerson)
    return [
      `task ${task} ${started?.ended === 'exited' ? 'ended by itself' : 'was not stopped so'}, the log says ${how}`,
    ];
  const texts = facts
    .of('message.received')
    .filter(({ body, session: own }) => own === session && body.kind === 'task_ended')
    .filter(({ body }) => body.text.includes(`${task}:`));
  const wrong = texts.length > 1 || (told.has(how) && texts.length === 0);
  return wrong ? [`the end (${how}) of task ${task} was told ${texts.length} times`] : [];
}
