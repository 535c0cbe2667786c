import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import type { BeginCallAnswer, CallState } from '../../../shared/protocol/worker-link.ts';

type Call = Pick<CallState, 'id' | 'tool' | 'input'>;

declare const stored: unique symbol;

/** A call whose decision and intent are stored. Only `grantedBy` makes one, so no tool can run without (invariant 4). */
export interface Granted {
  readonly [stored]: true;
  readonly call: Call;
  readonly facts: CallFacts;
  /** Lists of patterns whose files a search must not show. */
  readonly hidden: readonly (readonly string[])[];
}

/** The right to run `call` with exactly these facts, from the daemon's answer to `beginCall`. */
export function grantedBy(
  answer: Extract<BeginCallAnswer, { kind: 'granted' }>,
  call: Call,
  facts: CallFacts,
): Granted {
  return { call, facts, hidden: answer.hidden ?? [] } as unknown as Granted;
}
