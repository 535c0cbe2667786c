import { join } from 'node:path';
import { errorCode, errorMessage } from '../../../../shared/base/errors.ts';
import type { Clock, Ids } from '../../../../shared/base/ports.ts';
import { idPrefix } from '../../../../shared/domain/ids.ts';
import type { TaskEnd, TaskEndKind } from '../../../../shared/domain/tasks.ts';
import type { SessionPort } from '../../agent/ports.ts';
import { type ShellEnd, type ShellRun, startShell } from '../run-shell.ts';
import { TaskOutput } from './task-output.ts';

/** What the tasks of a session need. */
export interface TaskPorts {
  readonly scratch: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Stores beginnings and ends, and shows how many run. */
  readonly port: Pick<SessionPort, 'ask' | 'background'>;
  /** How many at once, and the longest life of one in ms. */
  readonly limits: { readonly most: number; readonly limitMs: number };
}

/** A command that is to go on after its call ended; `call`: the call that begins it. */
export interface TaskCommand {
  readonly call: string;
  readonly command: string;
  readonly title: string;
  readonly dir: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Shorter than the limit of all; absent: that one. */
  readonly limitMs?: number;
  /** It runs shut in. */
  readonly sandbox?: NonNullable<ShellRun['sandbox']>;
}

/** A task that runs. */
export interface RunningTask {
  readonly id: string;
  readonly title: string;
  readonly output: string;
}

interface Task extends RunningTask {
  readonly stop: AbortController;
  /** What it means when it is ended by us. */
  why: TaskEndKind;
  /** Resolves when its end is stored. */
  readonly over: Promise<void>;
  readonly finish: () => void;
}

const notRun = { code: null, signal: null, tail: '', bytes: 0 } as const;

/** The background tasks of one leased session. They end with the lease; what began and ended is stored by the daemon. */
export class TaskBook {
  readonly #ports: TaskPorts;
  readonly #tasks = new Map<string, Task>();
  #closed = false;

  constructor(ports: TaskPorts) {
    this.#ports = ports;
  }

  get running(): readonly RunningTask[] {
    return [...this.#tasks.values()];
  }

  /** Starts it when its beginning is stored; a sentence when it cannot be started. */
  async start(command: TaskCommand): Promise<RunningTask | string> {
    const { ids, limits, scratch, port } = this.#ports;
    if (this.#closed) return 'the session is being put away: no background task can begin';
    if (this.#tasks.size >= limits.most)
      return `${limits.most} background tasks run already, the most of a session; wait for one or stop one with TaskStop`;
    const id = ids.next(idPrefix.task);
    const output = join(scratch, `${id}.txt`);
    const { title, call } = command;
    const stop = new AbortController();
    const { promise: over, resolve: finish } = Promise.withResolvers<void>();
    const task: Task = { id, title, output, stop, why: 'stopped', over, finish };
    this.#tasks.set(id, task);
    this.#count();
    await port.ask('taskBegan', { task: id, call, title, output }).catch((error: unknown) => {
      this.#tasks.delete(id);
      this.#count();
      task.finish();
      throw error;
    });
    const problem = await this.#run(task, command);
    return problem ?? { id, title, output };
  }

  /** Ends one with everything it started and resolves when that is stored; false when there is none of that id. */
  async stop(id: string): Promise<boolean> {
    const task = this.#tasks.get(id);
    if (task === undefined) return false;
    task.stop.abort();
    await task.over;
    return true;
  }

  /** Ends all, for good. */
  async close(why: 'interrupted' | 'lost'): Promise<void> {
    this.#closed = true;
    const tasks = [...this.#tasks.values()];
    for (const task of tasks) {
      task.why = why;
      task.stop.abort();
    }
    await Promise.all(tasks.map((task) => task.over));
  }

  /** null: it runs. */
  async #run(task: Task, command: TaskCommand): Promise<string | null> {
    const { clock, ids, limits, scratch } = this.#ports;
    let output: TaskOutput | null = null;
    if (task.stop.signal.aborted) {
      await this.#tell(task, { ...notRun, how: task.why });
      return 'it was stopped before it began';
    }
    try {
      output = await TaskOutput.open(task.output);
      const kept = output;
      const timeoutMs = command.limitMs ?? limits.limitMs;
      const { ended } = await startShell(
        { ...command, timeoutMs, scratch },
        (chunk) => kept.add(chunk),
        task.stop.signal,
        { clock, ids },
      );
      void ended.then((end) => this.#ended(task, end, kept));
      return null;
    } catch (error) {
      await output?.close();
      await this.#tell(task, { ...notRun, how: 'not_started' });
      return `it could not be started: ${errorMessage(error)}`;
    }
  }

  async #ended(task: Task, { why, exit }: ShellEnd, output: TaskOutput): Promise<void> {
    const how = why === 'exit' ? 'exited' : why === 'timeout' ? 'timed_out' : task.why;
    const tail = await output.close();
    await this.#tell(task, { how, code: exit.code, signal: exit.signal, tail, bytes: output.bytes });
  }

  /**
   * It counts as running until its end is stored: a session with nothing running is let go, and an end that waits for room on
   * the disk would be lost with the lease. Any other fault ends this process: a worker that cannot say what it did is of no use.
   */
  async #tell(task: Task, end: TaskEnd): Promise<void> {
    try {
      await this.#ports.port.ask('taskEnded', { task: task.id, end });
    } catch (error) {
      // The lease is over or the link is gone: the daemon has told the session that its tasks ended.
      if (errorCode(error) !== 'stale' && errorCode(error) !== 'closed') throw error;
    } finally {
      this.#tasks.delete(task.id);
      this.#count();
      task.finish();
    }
  }

  #count(): void {
    this.#ports.port.background(this.#tasks.size);
  }
}
