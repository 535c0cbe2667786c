import type { Writable } from 'node:stream';
import type { Clock, StopSignal } from '../../../shared/base/ports.ts';
import { errorMessage } from '../../../shared/base/errors.ts';
import type { HookRun } from '../../../shared/domain/hooks/answer.ts';
import { type OwnedChild, startChild } from '../../node/child.ts';
import { KeptOutput } from './kept-output.ts';

/** A hook's process before it is started. */
export interface HookCommand {
  readonly command: string;
  readonly dir: string;
  /** The whole environment; the first time it may take as long as the person's login shell, within the hook's time. */
  readonly environment: () => Promise<Readonly<Record<string, string>>>;
  /** JSON for stdin. */
  readonly input: string;
  readonly timeoutMs: number;
}

/** A hook that writes more than this, on stdout and stderr together, is ended. */
export const mostHookOutput = 1024 * 1024;
/** A process that left the group can hold the pipes open; what comes after the hook's end is waited for this long. */
const drainMs = 100;

/**
 * Runs a hook in a process group of its own. Resolves within its time whatever the hook does (`signal` ends it at once): at its end
 * the whole group is killed, with everything that the hook left behind. Never rejects.
 */
export async function runHook(hook: HookCommand, signal: StopSignal, clock: Clock): Promise<HookRun> {
  return new Promise((resolve) => {
    const attempt = new Attempt(hook, signal, clock, resolve);
    attempt.begin();
  });
}

/** One run from its start to the first thing that ends it. */
class Attempt {
  readonly #hook: HookCommand;
  readonly #signal: StopSignal;
  readonly #clock: Clock;
  readonly #resolve: (run: HookRun) => void;
  readonly #onAbort = (): void => this.#end({ end: 'cut' });
  #child: OwnedChild | null = null;
  #cancel = (): void => undefined;
  #isOver = false;

  constructor(hook: HookCommand, signal: StopSignal, clock: Clock, resolve: (run: HookRun) => void) {
    this.#hook = hook;
    this.#signal = signal;
    this.#clock = clock;
    this.#resolve = resolve;
  }

  begin(): void {
    const { timeoutMs: ms } = this.#hook;
    this.#cancel = this.#clock.after(ms, () => this.#end({ end: 'timeout', ms }));
    this.#signal.addEventListener('abort', this.#onAbort);
    if (this.#signal.aborted) return this.#end({ end: 'cut' });
    this.#run().then(
      (run) => this.#end(run),
      (error: unknown) => this.#end({ end: 'unstarted', problem: errorMessage(error) }),
    );
  }

  async #run(): Promise<HookRun> {
    const env = await this.#hook.environment();
    if (this.#isOver) return { end: 'cut' };
    const { command, dir, input } = this.#hook;
    const options = {
      command: '/bin/sh',
      args: ['-c', command],
      cwd: dir,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    } as const;
    const child = await startChild(options, this.#clock);
    if (this.#isOver) {
      child.kill();
      return { end: 'cut' };
    }
    this.#child = child;
    const output = new KeptOutput(child.process, mostHookOutput, () =>
      this.#end({ end: 'flood', bytes: mostHookOutput }),
    );
    // A hook that does not read its input is none the worse for it.
    (child.process.stdin as Writable).end(input);
    const exit = await child.exited;
    await output.drained(drainMs, this.#clock);
    if (exit.code === null) return { end: 'signal', signal: exit.signal ?? 'unknown' };
    return { end: 'exit', code: exit.code, ...output.texts() };
  }

  #end(run: HookRun): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancel();
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#child?.kill();
    for (const stream of this.#child?.process.stdio ?? []) stream?.destroy();
    this.#resolve(run);
  }
}
