import { assertNever } from '../../../../shared/base/assert-never.ts';
import { KairosError } from '../../../../shared/base/errors.ts';
import type { Clock, StopSignal } from '../../../../shared/base/ports.ts';
import type { ModelChoice } from '../../../../shared/domain/models.ts';
import { ModelError } from '../../agent/ports.ts';
import { decideNext } from '../failure/decide-next.ts';
import { failureError } from '../failure/failure-text.ts';
import { isUnspent, type ModelFailure } from '../failure/model-failure.ts';
import { waitText } from '../failure/wait-text.ts';
import type { RetryLimits } from '../limits.ts';
import type { Credentials } from './credentials.ts';
import type { AttemptEnd } from './one-attempt.ts';

/** One request to one model with the secret it has now. */
export type Try<Answer> = (choice: ModelChoice, secret: string | null) => Promise<Attempted<Answer>>;
/** How it ended, and whether a viewer has seen part of it. */
export interface Attempted<Answer> {
  readonly end: AttemptEnd<Answer>;
  readonly streamed: boolean;
}

/** What asking needs. `chance` gives numbers from 0 to 1. */
export interface AskParts {
  /** In order; never empty. */
  readonly choices: readonly ModelChoice[];
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly chance: () => number;
  readonly limits: RetryLimits;
  readonly signal: StopSignal;
  /** What was shown of the answer so far is void. */
  readonly onVoid: () => void;
  /** Why nothing happens now, for people; null: the request is made again. */
  readonly onWait: (text: string | null) => void;
}

type ModelEnd<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'left'; readonly error: ModelError; readonly toNext: boolean };

/**
 * Asks the models one after the other, each again as long as it is worth it. Rejects with KairosError: `aborted`, or the code of
 * the first model's failure, the one a person chose, with what the others said.
 */
export async function askModels<Answer>(parts: AskParts, attempt: Try<Answer>): Promise<Answer> {
  const left: ModelError[] = [];
  for (const [index, choice] of parts.choices.entries()) {
    const hasNext = index + 1 < parts.choices.length;
    const end = await askModel(parts, choice, hasNext, attempt);
    if (end.kind === 'answered') return end.answer;
    left.push(end.error);
    if (!end.toNext) break;
  }
  throw joined(left);
}

function joined(left: readonly ModelError[]): ModelError {
  const [first, ...others] = left;
  const unspent = left.every((each) => each.unspent);
  if (first === undefined) return new ModelError('model_failed', 'There is no model to ask.', { unspent });
  // Too long for the model that was reached last: that is what the loop can mend.
  const last = left.at(-1);
  if (others.length === 0 || last?.code === 'context_too_long') return last ?? first;
  const also = others.map(withoutNext).join(' ');
  const { next } = first;
  const message = `${withoutNext(first)} The models after it failed too: ${also}`;
  return next === undefined
    ? new ModelError(first.code, message, { unspent })
    : new ModelError(first.code, `${message} ${next}`, { next, unspent });
}

/** What happened; what to do is said once, at the end. */
function withoutNext({ message, next }: KairosError): string {
  return next !== undefined && message.endsWith(` ${next}`) ? message.slice(0, -next.length - 1) : message;
}

async function askModel<Answer>(
  parts: AskParts,
  choice: ModelChoice,
  hasNext: boolean,
  attempt: Try<Answer>,
): Promise<ModelEnd<Answer>> {
  let refreshed = false;
  let waitedMs = 0;
  let unspent = true;
  for (let made = 1; ; made += 1) {
    const { end, streamed } = await attempt(choice, parts.credentials.secretOf(choice));
    if (end.kind === 'answered') return end;
    if (end.kind === 'aborted') throw aborted();
    if (streamed) parts.onVoid();
    unspent &&= isUnspent(end.failure);
    const tries = { made, waitedMs, refreshed, streamed, hasNext };
    const move = decideNext(end.failure, tries, parts.limits, parts.chance());
    switch (move.kind) {
      case 'wait':
        parts.onWait(waitText(end.failure, move.ms));
        await pause(move.ms, parts.clock, parts.signal);
        parts.onWait(null);
        waitedMs += move.ms;
        break;
      case 'refresh': {
        refreshed = true;
        const fresh = await parts.credentials.refresh(choice);
        if (parts.signal.aborted) throw aborted();
        if (fresh !== 'fresh') return leave(end.failure, choice, hasNext, { unspent, note: fresh.reason });
        break;
      }
      case 'next_model':
      case 'give_up':
        return leave(end.failure, choice, move.kind === 'next_model', { unspent });
      default:
        return assertNever(move, 'move');
    }
  }
}

function leave<Answer>(
  failure: ModelFailure,
  { ref }: ModelChoice,
  toNext: boolean,
  told: { readonly unspent: boolean; readonly note?: string },
): ModelEnd<Answer> {
  return { kind: 'left', error: failureError(failure, ref, told), toNext };
}

function aborted(): KairosError {
  return new KairosError('aborted', 'The request was stopped.');
}

/** Waits, or rejects with `aborted` at once when the signal fires. */
function pause(ms: number, clock: Clock, signal: StopSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted());
    const stop = (): void => {
      cancel();
      reject(aborted());
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop);
  });
}
