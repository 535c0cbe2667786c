import type { WorkerConnection, WorkerStarter } from '../../../electron/daemon/sessions/worker-port.ts';
import type { Lease, LinkInput, LinkVerb } from '../../../shared/protocol/worker-link.ts';
import type { DaemonToWorker, WorkerToDaemon } from '../../../shared/protocol/worker-link.ts';

type Answer = { readonly ok: unknown } | { readonly fault: string };

/** A worker that does nothing by itself: the test says what it sends. */
export class FakeWorker implements WorkerConnection {
  readonly pid: number;
  readonly sent: DaemonToWorker[] = [];
  killed = false;
  /** It lets go of a session as soon as it is told to, and exits when it is told to stop. */
  obedient = true;
  /** It is stopped or spins: no question whether it hears is answered. */
  deaf = false;
  /** How often it was asked whether it hears. */
  pings = 0;
  #onMessage: (message: WorkerToDaemon) => void = () => undefined;
  #onExit: (end: { reason: string }) => void = () => undefined;
  #lastId = 0;
  #gone = false;

  constructor(pid: number) {
    this.pid = pid;
  }

  /** Kinds of the frames it got, without hello. */
  get heard(): readonly string[] {
    return this.sent.filter((frame) => frame.type !== 'hello').map((frame) => frame.type);
  }

  send(message: DaemonToWorker): void {
    if (message.type === 'ping') {
      this.pings += 1;
      if (!this.deaf) this.say({ type: 'pong', n: message.n });
      return;
    }
    this.sent.push(message);
    if (!this.obedient) return;
    if (message.type === 'release') {
      const { session, lease } = message;
      queueMicrotask(() => this.say({ type: 'released', session, lease, why: 'asked' }));
    }
    if (message.type === 'stop') queueMicrotask(() => this.exit('exit code 0'));
  }

  onMessage(listener: (message: WorkerToDaemon) => void): void {
    this.#onMessage = listener;
  }

  onExit(listener: (end: { reason: string }) => void): void {
    this.#onExit = listener;
  }

  kill(): void {
    this.killed = true;
    this.exit('killed by SIGKILL');
  }

  exit(reason: string): void {
    if (this.#gone) return;
    this.#gone = true;
    this.#onExit({ reason });
  }

  say(message: WorkerToDaemon): void {
    this.#onMessage(message);
  }

  ready(): void {
    this.say({ type: 'ready', version: 1, pid: this.pid });
  }

  /** The newest lease it has on the session. */
  lease(session: string): Lease {
    const frame = this.sent.findLast((each) => each.type === 'lease' && each.lease.session === session);
    if (frame?.type !== 'lease') throw new Error(`No lease on ${session}.`);
    return frame.lease;
  }

  /** Asks the daemon; `settle` has to run before the answer is there. */
  async ask<Verb extends LinkVerb>(
    session: string,
    verb: Verb,
    input: LinkInput<Verb>,
    settle: () => Promise<void>,
  ): Promise<Answer> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.say({ type: 'ask', id, session, lease: this.lease(session).lease, verb, input });
    await settle();
    const answer = this.sent.find(
      (frame) => (frame.type === 'answer' || frame.type === 'fault') && frame.id === id,
    );
    if (answer?.type === 'answer') return { ok: answer.output };
    return { fault: answer?.type === 'fault' ? answer.error.code : 'none' };
  }
}

/** Starts fake workers and keeps them. */
export class FakeStarter implements WorkerStarter {
  readonly workers: FakeWorker[] = [];

  start(): FakeWorker {
    const worker = new FakeWorker(100 + this.workers.length);
    this.workers.push(worker);
    return worker;
  }

  /** The worker that was started last. */
  get last(): FakeWorker {
    const worker = this.workers.at(-1);
    if (!worker) throw new Error('No worker was started.');
    return worker;
  }
}
