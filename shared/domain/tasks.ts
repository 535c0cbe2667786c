import * as z from 'zod/mini';
import { assertNever } from '../base/assert-never.ts';
import { quotedText } from '../base/quoted-text.ts';

/**
 * How a background task came to its end. `stopped`: by TaskStop; `interrupted`: a person ended the turn's work; `archived`: its
 * session was; `not_started`: the system refused it; `lost`: with its worker, so that its outcome is not known.
 */
export const taskEndKindSchema = z.enum([
  'exited',
  'timed_out',
  'stopped',
  'interrupted',
  'archived',
  'not_started',
  'lost',
]);
export type TaskEndKind = z.infer<typeof taskEndKindSchema>;

/** A task's end as its worker saw it. `tail`: the end of its output, `bytes`: all of it. */
export const taskEndSchema = z.object({
  how: taskEndKindSchema,
  code: z.nullable(z.number()),
  signal: z.nullable(z.string()),
  tail: z.string().check(z.maxLength(4_000)),
  bytes: z.number(),
});
export type TaskEnd = z.infer<typeof taskEndSchema>;

/** What a task's end is told of: `output` is the file with its output, `beganAt` in wall ms. */
export interface TaskFacts {
  readonly id: string;
  readonly title: string;
  readonly output: string;
  readonly beganAt: number;
}

/** First words of what the model reads about the end of a task. */
export const taskEndedMark = '[background task ended]';

/** What the model reads when a task ended at `now` (wall ms). Output is data: it comes last, quoted line by line. */
export function taskEndedText(task: TaskFacts, end: TaskEnd, now: number): string {
  const seconds = Math.max(0, Math.round((now - task.beganAt) / 1000));
  const tail = end.tail.trimEnd();
  return [
    `${taskEndedMark} ${task.id}: ${task.title}`,
    `${howText(end)} after ${seconds} s; its output is in ${task.output}`,
    ...(tail === '' ? [] : ['The last of it:', quotedText(tail)]),
  ].join('\n');
}

function howText({ how, code, signal }: TaskEnd): string {
  switch (how) {
    case 'exited':
      return signal === null ? `Exit code ${code ?? 'unknown'}` : `Ended by signal ${signal}`;
    case 'timed_out':
      return 'Stopped at its time limit';
    case 'stopped':
      return 'Stopped by TaskStop';
    case 'interrupted':
      return 'Stopped when a person interrupted the work';
    case 'archived':
      return 'Stopped with its session';
    case 'not_started':
      return 'Not started';
    case 'lost':
      return 'Ended because the process that held it is gone, outcome unknown,';
    default:
      return assertNever(how, 'end of a task');
  }
}

/** Wakes by ends of tasks of one session: at least this far apart, and not more than so many an hour (a task that starts a task ...). */
export const taskWakes = { spacingMs: 1_000, perHour: 60 } as const;
const hourMs = 3_600_000;

/**
 * From when (wall ms) an end is told, given the instants of the ends told before, oldest first, and those instants with it. What
 * ends while an instant is ahead joins it.
 */
export function nextTaskWake(
  told: readonly number[],
  now: number,
): { readonly at: number; readonly told: readonly number[] } {
  // One that lies further ahead was planned before the clock was set back.
  const recent = told.filter((at) => at > now - hourMs && at <= now + hourMs);
  const last = recent.at(-1);
  if (last !== undefined && last > now) return { at: last, told: recent };
  const spaced = last === undefined ? now : Math.max(now, last + taskWakes.spacingMs);
  const oldest = recent.at(-taskWakes.perHour);
  const at = oldest === undefined ? spaced : Math.max(spaced, oldest + hourMs);
  return { at, told: [...recent, at].slice(-taskWakes.perHour) };
}
