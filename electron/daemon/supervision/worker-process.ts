import { getPriority, setPriority } from 'node:os';
import type { Clock, Log } from '../../../shared/base/ports.ts';
import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import {
  type DaemonToWorker,
  maxFrameBytes,
  type WorkerToDaemon,
  workerToDaemonSchema,
} from '../../../shared/protocol/worker-link.ts';
import { type OwnedChild, startChild } from '../../node/child.ts';
import type { Environment } from '../../node/environment-text.ts';
import { FrameQueue } from '../../node/frame-queue.ts';
import { Parcels, removeParcels } from '../../node/parcels.ts';
import { lastWord } from './last-word.ts';

/** What a worker process is started with. */
export interface WorkerProgram {
  /** Absolute path of the worker's program. */
  readonly entry: string;
  readonly cwd: string;
  readonly env: Environment;
  /** Folder for frames that are too large for the channel, this worker's own; made when needed, removed at its end. */
  readonly parcels: string;
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

/** A worker process behind its wire; frames sent before it runs wait. See `WorkerConnection` in sessions/worker-port.ts. */
export class WorkerProcess {
  readonly #log: Log;
  readonly #folder: string;
  readonly #parcels: Parcels;
  readonly #queue: FrameQueue<DaemonToWorker>;
  readonly #waiting: DaemonToWorker[] = [];
  readonly #exitListeners: ((end: { reason: string }) => void)[] = [];
  readonly #messageListeners: ((message: WorkerToDaemon) => void)[] = [];
  #child: OwnedChild | null = null;
  #killed = false;
  #ended: { reason: string } | null = null;
  /** What made the link unusable; nothing is heard after it. */
  #fault: string | null = null;
  #stderr = '';

  constructor(program: WorkerProgram) {
    this.#log = program.log;
    this.#folder = program.parcels;
    this.#parcels = new Parcels(program.parcels, maxFrameBytes);
    this.#queue = new FrameQueue({
      parcels: this.#parcels,
      clock: program.clock,
      post: (packed) => this.#child?.process.connected === true && this.#child.process.send(packed),
      overtakes: (frame) => frame.type === 'ping',
      onFault: (error) => this.#breakLink(error),
    });
    void this.#run(program);
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Throws ParcelError for a frame that can never be sent. */
  send(message: DaemonToWorker): void {
    if (this.#ended) return;
    if (!this.#child) this.#waiting.push(message);
    else if (this.#child.process.connected) this.#queue.send(message);
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
          args: [program.entry, '--daemon-worker=session', `--parcels=${program.parcels}`],
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
    try {
      for (const message of this.#waiting.splice(0)) this.send(message);
    } catch (error) {
      this.#breakLink(error);
    }
  }

  #receive(value: unknown): void {
    if (this.#fault !== null) return;
    let frame: unknown;
    try {
      frame = this.#parcels.unpack(value);
    } catch (error) {
      return this.#breakLink(error);
    }
    const parsed = workerToDaemonSchema.safeParse(frame);
    if (!parsed.success) {
      this.#log.warn(
        { pid: this.pid, issues: parsed.error.issues.slice(0, 3) },
        'malformed frame from a worker dropped',
      );
      return;
    }
    for (const listener of this.#messageListeners) listener(parsed.data);
  }

  /** What comes over this link cannot be trusted or read: only this worker ends. */
  #breakLink(error: unknown): void {
    this.#fault = errorMessage(error);
    this.#log.error(
      { pid: this.pid, code: errorCode(error), error: this.#fault },
      'the link of a worker broke',
    );
    this.kill();
  }

  #end(how: string): void {
    this.#queue.close();
    this.#removeParcels();
    const tail = this.#stderr.trim();
    if (tail !== '') this.#log.warn({ pid: this.pid, stderr: tail }, 'last words of a worker');
    const why = this.#fault ?? lastWord(tail);
    this.#ended = { reason: why === '' ? how : `${how}: ${why}` };
    for (const listener of this.#exitListeners) listener(this.#ended);
  }

  #removeParcels(): void {
    try {
      removeParcels(this.#folder);
    } catch (error) {
      this.#log.warn({ error: errorMessage(error) }, 'parcels of a worker could not be removed');
    }
  }
}
