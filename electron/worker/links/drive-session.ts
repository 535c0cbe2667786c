import { assertNever } from '../../../shared/base/assert-never.ts';
import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import type { StopSignal } from '../../../shared/base/ports.ts';
import type { ChangeSignal, RunEnd, Runner } from '../../../shared/domain/runner.ts';

/** Why a session is let go; `fault` is set when the runner itself failed. */
export type DriveEnd =
  | { readonly why: 'asked' }
  | { readonly why: 'refused' | 'failed'; readonly reason: string; readonly fault?: unknown };

/**
 * Runs a leased session until it is told to stop or cannot go on. Idle or waiting, it stays and runs again at the next
 * change: whether an idle session hibernates is the daemon's decision.
 */
export async function driveSession<Port extends ChangeSignal>(
  runner: Runner<Port>,
  port: Port,
  stop: StopSignal,
): Promise<DriveEnd> {
  const changes = new Changes(port, stop);
  while (!stop.aborted) {
    changes.forget();
    const end = await runOnce(runner, port, stop);
    switch (end.why) {
      case 'idle':
      case 'waiting':
        await changes.next();
        break;
      case 'asked':
        return { why: 'asked' };
      case 'refused':
      case 'failed':
        return end;
      default:
        return assertNever(end, 'end of a run');
    }
  }
  return { why: 'asked' };
}

async function runOnce<Port>(
  runner: Runner<Port>,
  port: Port,
  stop: StopSignal,
): Promise<RunEnd & { fault?: unknown }> {
  try {
    return await runner.run(port, stop);
  } catch (error) {
    if (errorCode(error) === 'stale') return { why: 'asked' };
    return { why: 'failed', reason: errorMessage(error), fault: error };
  }
}

/** Remembers a change that comes while the runner is busy, so that none is slept through. */
class Changes {
  #seen = false;
  #wake: (() => void) | null = null;

  constructor(port: ChangeSignal, stop: StopSignal) {
    const notice = (): void => {
      this.#seen = true;
      this.#wake?.();
    };
    port.onChange(notice);
    stop.addEventListener('abort', notice);
  }

  forget(): void {
    this.#seen = false;
  }

  next(): Promise<void> {
    if (this.#seen) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
