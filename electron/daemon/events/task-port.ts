import type { TaskEnd } from '../../../shared/domain/tasks.ts';

/** A background task before it is started; `call`: the call that begins it. */
export interface NewTask {
  readonly task: string;
  readonly call: string;
  readonly title: string;
  /** File its output goes to. */
  readonly output: string;
}

/** What the store does about background tasks. */
export interface TaskVerbs {
  /** A task is about to begin; the number that run with it. */
  beginTask(session: string, task: NewTask): Promise<number>;
  /** A task ended: the session is woken where the model does not know it already. The number that still run. */
  endTask(session: string, task: string, end: TaskEnd): Promise<number>;
}
