import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noSandbox } from '../../../shared/domain/sandbox.ts';
import type { DaemonToWorker, Lease, WorkerToDaemon } from '../../../shared/protocol/worker-link.ts';
import { systemClock } from '../../../electron/node/clock.ts';
import { sampleLease } from './sample-lease.ts';
import { maxFrameBytes, workerToDaemonSchema } from '../../../shared/protocol/worker-link.ts';
import { Parcels } from '../../../electron/node/parcels.ts';

const entry = fileURLToPath(new URL('../../../electron/worker/main.ts', import.meta.url));

/** A worker that says nothing new for so long will not. */
const waitMs = 8_000;

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

type Ask = Extract<WorkerToDaemon, { type: 'ask' }>;

/** A real worker whose daemon is the test. */
export class WorkerProcess {
  readonly process: ChildProcess;
  readonly frames: WorkerToDaemon[] = [];
  readonly exited: Promise<Exit>;
  readonly dir: string;
  stderr = '';
  readonly #parcels: Parcels;
  #waiting: (() => void)[] = [];

  /** Folder of large frames. */
  readonly parcels: string;

  constructor(args?: readonly string[]) {
    this.dir = realpathSync(mkdtempSync(join(tmpdir(), 'kairos-worker-')));
    this.parcels = `${this.dir}-parcels`;
    this.#parcels = new Parcels(this.parcels, maxFrameBytes);
    this.process = fork(entry, args ?? ['--daemon-worker=session', `--parcels=${this.parcels}`], {
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { PATH: process.env.PATH, KAIROS_RUN: 'test.7' },
    });
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
      for (const check of this.#waiting.splice(0)) check();
    });
    this.process.on('message', (message) => {
      const frame = workerToDaemonSchema.parse(this.#parcels.unpack(message));
      this.frames.push(frame);
      if (frame.type === 'ask') this.#answerByTheWay(frame);
      for (const check of this.#waiting.splice(0)) check();
    });
    this.exited = new Promise((resolve) =>
      this.process.on('exit', (code, signal) => resolve({ code, signal })),
    );
  }

  /** Anything, also what is no frame. */
  sendRaw(message: unknown): void {
    this.process.send(message as object);
  }

  send(message: DaemonToWorker): void {
    this.sendRaw(this.#parcels.pack(message));
  }

  /** Leases session `ses_1` in the test's own folder. */
  lease(more: Partial<Lease> = {}): void {
    this.send({ type: 'lease', lease: sampleLease(this.dir, more) });
  }

  /** The first frame from number `from` on that fits; waits for it. */
  async frame<Type extends WorkerToDaemon['type']>(
    type: Type,
    fits: (frame: Extract<WorkerToDaemon, { type: Type }>) => boolean = () => true,
    from = 0,
  ): Promise<Extract<WorkerToDaemon, { type: Type }>> {
    for (;;) {
      const found = this.frames.slice(from).find((frame) => frame.type === type && fits(frame as never));
      if (found !== undefined) return found as Extract<WorkerToDaemon, { type: Type }>;
      await this.#news(`a frame "${type}"`);
    }
  }

  /** The nth question (from 0) of that verb; waits for it. */
  async ask(verb: Ask['verb'], nth = 0): Promise<Ask> {
    for (;;) {
      const found = this.frames.filter((frame) => frame.type === 'ask' && frame.verb === verb)[nth];
      if (found !== undefined) return found as Ask;
      await this.#news(`question ${nth} for "${verb}"`);
    }
  }

  /** The frame of its prompt and the sandbox of its shells are no matter of the tests of the link. */
  #answerByTheWay(ask: Ask): void {
    if (ask.verb === 'pinFrame') this.answer(ask, { frame: 'frame_1' });
    if (ask.verb === 'sandbox') this.answer(ask, noSandbox);
  }

  answer({ id }: Ask, output: unknown): void {
    this.send({ type: 'answer', id, ok: true, output });
  }

  fault({ id }: Ask, code: string): void {
    this.send({ type: 'fault', id, error: { code, message: 'scripted fault' } });
  }

  /** The lines of JSON on stderr up to the first of that event; stderr and frames come over different pipes, so it waits. */
  async reportsUntil(event: string): Promise<Record<string, unknown>[]> {
    for (;;) {
      const reports = this.reports();
      const last = reports.findIndex((report) => report.event === event);
      if (last >= 0) return reports.slice(0, last + 1);
      await this.#news(`a report "${event}"`);
    }
  }

  /** Something new was heard; rejects after `waitMs` with what was heard until then. */
  #news(wanted: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        const heard = this.frames.map((frame) => (frame.type === 'ask' ? `ask ${frame.verb}` : frame.type));
        reject(new Error(`The worker sent no ${wanted}; heard: ${heard.join(', ')}. ${this.stderr}`));
      };
      const cancel = systemClock.after(waitMs, giveUp, { keepAlive: false });
      this.#waiting.push(() => {
        cancel();
        resolve();
      });
    });
  }

  /** The whole lines of JSON on stderr so far. */
  reports(): Record<string, unknown>[] {
    return this.stderr
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Ends what is left. */
  async remove(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.exited;
    for (const folder of [this.dir, this.parcels]) rmSync(folder, { recursive: true, force: true });
  }
}
