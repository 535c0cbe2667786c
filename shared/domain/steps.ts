import * as z from 'zod/mini';
import { reservationSchema } from './budget.ts';

/** `began`: a request is or was under way. `replied`: the reply is stored, its calls are being worked through. */
export const stepStateSchema = z.enum(['began', 'replied']);

/** The unfinished step of a session; null between steps. */
export const openStepSchema = z.object({
  id: z.string(),
  turn: z.string(),
  /** 1, 2, 3 ... within the turn. */
  n: z.number(),
  state: stepStateSchema,
  frame: z.string(),
  reservation: reservationSchema,
  /** Wakes this step consumed. */
  wakes: z.array(z.string()),
  /** Calls of the reply in the model's order. */
  calls: z.array(z.string()),
});
export type OpenStep = z.infer<typeof openStepSchema>;

/** The unfinished turn of a session. */
export const openTurnSchema = z.object({
  id: z.string(),
  beganAt: z.number(),
  /** Seq of its `turn.began` event. */
  seq: z.number(),
  /** Steps begun so far. */
  steps: z.number(),
  nudged: z.boolean(),
  /** Messages (wake ids) this turn consumed that need settling. */
  owes: z.array(z.object({ wake: z.string(), message: z.string(), ref: z.string(), routeKey: z.string() })),
  /** Route keys that got a visible answer in this turn. */
  answered: z.array(z.string()),
  /** Wake ids the model answered by a typed "nothing to say". */
  silenced: z.array(z.string()),
});
export type OpenTurn = z.infer<typeof openTurnSchema>;

/** What follows the end of a step (a reply without calls, or the last call ended). */
export type AfterStep =
  | { readonly kind: 'next' }
  | { readonly kind: 'nudge' }
  | { readonly kind: 'end'; readonly deliver: string | null; readonly failed: string | null };

/**
 * Settling (design 13): a turn ends when the model asks for no more calls. In brief mode messages it owes an answer first get one
 * nudge, then the final text is delivered, and where there is none a failure notice tells the person. Otherwise the final text is
 * the answer, also of a turn that nobody asked for.
 */
export function afterStep(turn: OpenTurn, hadCalls: boolean, finalText: string, brief: boolean): AfterStep {
  if (hadCalls) return { kind: 'next' };
  const text = finalText.trim();
  const unanswered = turn.owes.filter((owed) => !isAnswered(turn, owed));
  if (unanswered.length === 0) {
    const said = !brief && turn.owes.length === 0 && turn.answered.length === 0 && text !== '';
    return { kind: 'end', deliver: said ? text : null, failed: null };
  }
  if (brief && !turn.nudged) return { kind: 'nudge' };
  if (text !== '') return { kind: 'end', deliver: text, failed: null };
  return { kind: 'end', deliver: null, failed: 'The turn ended without an answer.' };
}

/** True when this message's chat got a visible answer in the turn, or it was silenced. */
export function isAnswered(turn: OpenTurn, owed: OpenTurn['owes'][number]): boolean {
  return turn.answered.includes(owed.routeKey) || turn.silenced.includes(owed.wake);
}

/** What the model reads as a nudge. */
export const nudgeText =
  'Your turn is ending and the person has not been answered. Call SendUserMessage with the answer now, or end the turn with the answer as plain text.';
