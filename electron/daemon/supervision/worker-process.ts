import { getPriority, setPriority } from 'node:os';
import type { Clock, Log } from '../../../shared/base/ports.ts';
import { errorMessage } from '../../../shared/base/errors.ts';
import {
  type DaemonToWorker,
  type WorkerToDaemon,
  workerToDaemonSchema,
} from '../../../shared/protocol/worker-link.ts';
import { type OwnedChild, startChild } from '../../node/child.ts';
import type { Environment } from '../../node/environment-text.ts';

/** What a worker process is started with. */
export interface WorkerProgram {
  /** Absolute path of the worker's program. */
  readonly entry: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly clock: Clock;
  readonly log: Log;
}

/** Last characters of stderr that explain a death. */
const stderrTail = 2_000;

/** Steps of niceness below the daemon, for a worker and the commands it runs. */
const workerNiceness = 5;

/** Lets the daemon and the person's own programs go first where cores are scarce; without it all is well, only slower. */
function yieldTo(pid: number, log: Log): void {
  try {
    setPriority(pid, Math.min(19, getPriority() + workerNiceness));
  } catch (error) {
    log.debug({ pid, error: errorMessage(error) }, 'the priority of a worker could not be lowered');
  }
}

/** Node prints the error itself above its stack and a closing line with its own version. */
function lastWord(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return (lines.findLast((line) => /Error\b.*:/.test(line)) ?? lines.at(-1) ?? '').trim().slice(0, 300);
}

/** A worker process behind its wire; frames sent before it runs wait. See `WorkerConnection` in sessions/worker-port.ts. */
export class WorkerProcess {
  readonly #log: Log;
  readonly #waiting: DaemonToWorker[] = [];
  readonly #exitListeners: ((end: { reason: string }) => void)[] = [];
  readonly #messageListeners: ((message: WorkerToDaemon) => void)[] = [];
  #child: OwnedChild | null = null;
  #killed = false;
  #ended: { reason: string } | null = null;
  #stderr = '';

  constructor(program: WorkerProgram) {
    this.#log = program.log;
    void this.#run(program);
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  send(message: DaemonToWorker): void {
    if (this.#ended) return;
    if (!this.#child) this.#waiting.push(message);
    else if (this.#child.process.connected) this.#child.process.send(message);
  }

  onMessage(listener: (message: WorkerToDaemon) => void): void {
    this.#messageListeners.push(listener);
  }

  onExit(listener: (end: { reason: string }) => void): void {
    if (this.#ended) listener(this.#ended);
    else this.#exitListeners.push(listener);
  }

  kill(): void {
    this.#killed = true;
    this.#child?.kill();
  }

  async #run(program: WorkerProgram): Promise<void> {
    try {
      const child = await startChild(
        {
          command: process.execPath,
          args: [program.entry, '--daemon-worker=session'],
          cwd: program.cwd,
          env: program.env,
          stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        },
        program.clock,
      );
      yieldTo(child.pid, program.log);
      this.#attach(child);
      const { code, signal } = await child.exited;
      this.#end(signal ? `killed by ${signal}` : `exit code ${code}`);
    } catch (error) {
      this.#end(errorMessage(error));
    }
  }

  #attach(child: OwnedChild): void {
    this.#child = child;
    child.process.on('message', (value) => this.#receive(value));
    child.process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-stderrTail);
    });
    if (this.#killed) child.kill();
    for (const message of this.#waiting.splice(0)) this.send(message);
  }

  #receive(value: unknown): void {
    const parsed = workerToDaemonSchema.safeParse(value);
    if (!parsed.success) {
      this.#log.warn(
        { pid: this.pid, issues: parsed.error.issues.slice(0, 3) },
        'malformed frame from a worker dropped',
      );
      return;
    }
    for (const listener of this.#messageListeners) listener(parsed.data);
  }

  #end(how: string): void {
    const tail = this.#stderr.trim();
    if (tail !== '') this.#log.warn({ pid: this.pid, stderr: tail }, 'last words of a worker');
    this.#ended = { reason: tail === '' ? how : `${how}: ${lastWord(tail)}` };
    for (const listener of this.#exitListeners) listener(this.#ended);
  }
}
