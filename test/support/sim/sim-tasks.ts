import { errorCode } from '../../../shared/base/errors.ts';
import type { CallResult } from '../../../shared/domain/messages.ts';
import type { SessionPort } from '../../../electron/worker/agent/ports.ts';
import type { RunningTasks } from '../../../electron/worker/agent/with-tasks.ts';
import type { StartedTask } from './ledgers.ts';
import type { WorkerPlace } from './worker-place.ts';

interface Task {
  readonly stop: AbortController;
  readonly over: Promise<void>;
  why: 'interrupted' | 'lost';
}

/** Background tasks of one lease that wait and end; like those of real shells they are stored before they begin. */
export class SimTasks implements RunningTasks {
  readonly #place: WorkerPlace;
  readonly #session: string;
  readonly #port: SessionPort;
  readonly #tasks = new Map<string, Task>();
  #closed = false;

  constructor(place: WorkerPlace, session: string, port: SessionPort) {
    this.#place = place;
    this.#session = session;
    this.#port = port;
  }

  get running(): readonly unknown[] {
    return [...this.#tasks.values()];
  }

  async start(call: string, title: string, ms: number): Promise<CallResult> {
    if (this.#closed) return { outcome: 'error', output: 'the session is being put away' };
    const id = `tsk_${call}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    const task: Task = { stop: new AbortController(), over: promise, why: 'lost' };
    this.#tasks.set(id, task);
    this.#count();
    const begun = { task: id, call, title, output: `/scratch/${id}.txt` };
    await this.#port.ask('taskBegan', begun).catch((error: unknown) => {
      this.#leave(id);
      resolve();
      throw error;
    });
    const { ledgers } = this.#place;
    const entry: StartedTask = {
      session: this.#session,
      task: id,
      lastEvent: ledgers.lastEvent,
      ended: null,
    };
    ledgers.tasks.push(entry);
    void this.#run(id, task, entry, ms).finally(resolve);
    return { outcome: 'ok', output: `Runs in the background as ${id}.` };
  }

  async close(why: 'interrupted' | 'lost'): Promise<void> {
    this.#closed = true;
    const tasks = [...this.#tasks.values()];
    for (const task of tasks) {
      task.why = why;
      task.stop.abort();
    }
    await Promise.all(tasks.map(({ over }) => over));
  }

  async #run(id: string, task: Task, entry: StartedTask, ms: number): Promise<void> {
    await this.#place.wait(ms, task.stop.signal);
    const how = task.stop.signal.aborted ? task.why : 'exited';
    entry.ended = how;
    await this.#place.point('task.ended');
    const code = how === 'exited' ? 0 : null;
    await this.#port
      .ask('taskEnded', { task: id, end: { how, code, signal: null, tail: 'words', bytes: 5 } })
      .catch((error: unknown) => {
        const code = errorCode(error);
        if (code !== 'stale' && code !== 'closed' && code !== 'disk_full') throw error;
      });
    // As in the real worker: it counts until its end is stored.
    this.#leave(id);
  }

  #leave(id: string): void {
    this.#tasks.delete(id);
    this.#count();
  }

  #count(): void {
    this.#port.background(this.#tasks.size);
  }
}
