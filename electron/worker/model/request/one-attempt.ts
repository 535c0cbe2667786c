import { readFailure } from '../failure/read-failure.ts';
import type { ModelFailure } from '../failure/model-failure.ts';
import type { ModelTimes } from '../limits.ts';
import type { SendOverWire, WireRequest } from '../wire/load-wire.ts';
import type { Told } from '../wire/mend-usage.ts';
import type { SdkPiece } from '../wire/sdk-types.ts';
import { watchExchange } from '../wire/watched-fetch.ts';
import type { Clock, StopSignal } from '../../../../shared/base/ports.ts';

/** How one request ended. `aborted`: the caller's signal fired; nobody waits for an answer any more. */
export type AttemptEnd<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly failure: ModelFailure }
  | { readonly kind: 'aborted' };

/** Takes the pieces of an answer; `answer` is null when it is not whole. */
export interface AnswerSink<Answer> {
  add(piece: SdkPiece): void;
  answer(told: Readonly<Told>): Answer | null;
}

/** What one request needs besides its content. */
export interface AttemptParts {
  readonly send: SendOverWire;
  readonly clock: Clock;
  readonly times: ModelTimes;
  readonly signal: StopSignal;
}

/** Makes one request and reads its answer to the end. Never rejects; when it resolves, its connection is free or broken. */
export async function oneAttempt<Answer>(
  request: Omit<WireRequest, 'watch'>,
  sink: AnswerSink<Answer>,
  { send, clock, times, signal }: AttemptParts,
): Promise<AttemptEnd<Answer>> {
  const watch = watchExchange(
    request.choice.wire === 'anthropic' ? 'anthropic' : 'openai',
    signal,
    clock,
    times,
  );
  try {
    for await (const piece of await send({ ...request, watch })) {
      if (piece.type === 'error') throw piece.error;
      sink.add(piece);
    }
    if (watch.failure !== null) return { kind: 'failed', failure: watch.failure };
    if (signal.aborted) return { kind: 'aborted' };
    const answer = sink.answer(watch.told);
    return answer === null ? { kind: 'failed', failure: { kind: 'cut' } } : { kind: 'answered', answer };
  } catch (error) {
    if (watch.failure !== null) return { kind: 'failed', failure: watch.failure };
    if (signal.aborted) return { kind: 'aborted' };
    const at = { answered: watch.answered, secret: request.secret, now: clock.now() };
    return { kind: 'failed', failure: readFailure(error, at) };
  } finally {
    watch.end();
  }
}
