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
  /** Calls of the reply that may run, in the model's order. */
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
  /** How often Stop hooks made it go on; absent: never. */
  goneOn: z.optional(z.number()),
  /** Messages (wake ids) this turn consumed that need settling. */
  owes: z.array(z.object({ wake: z.string(), message: z.string(), ref: z.string(), routeKey: z.string() })),
  /** Route keys that got a visible answer in this turn. */
  answered: z.array(z.string()),
  /** Of these, the ones after whose last answer other work was done: what came of it was not told. Absent: none. */
  worked: z.optional(z.array(z.string())),
  /** Wake ids the model answered by a typed "nothing to say". */
  silenced: z.array(z.string()),
});
export type OpenTurn = z.infer<typeof openTurnSchema>;

/** What follows the end of a step (a reply without calls, or the last call ended). `to`: who gets the final text or the notice. */
export type AfterStep =
  | { readonly kind: 'next' }
  | { readonly kind: 'nudge'; readonly text: string }
  | {
      readonly kind: 'end';
      readonly deliver: string | null;
      readonly failed: string | null;
      readonly to: OpenTurn['owes'];
    };

/**
 * Settling (design 13): a turn ends when the model asks for no more calls. In brief mode messages that wait for an answer, or for
 * what came of work done since, first get one nudge; then the final text is delivered. Otherwise the final text is the answer,
 * whatever was said before, also of a turn that nobody asked for. A failure notice tells those who got nothing at all.
 */
export function afterStep(turn: OpenTurn, hadCalls: boolean, finalText: string, brief: boolean): AfterStep {
  if (hadCalls) return { kind: 'next' };
  const text = finalText.trim();
  const unanswered = turn.owes.filter((owed) => !isAnswered(turn, owed));
  const waiting = turn.owes.filter((owed) => !isAnswered(turn, owed) || isBehind(turn, owed));
  if (brief && waiting.length > 0 && !turn.nudged)
    return { kind: 'nudge', text: unanswered.length > 0 ? nudgeText : workNudgeText };
  const readers = brief ? waiting : turn.owes.filter((owed) => isReader(turn, owed));
  const isTold = readers.length > 0 || (!brief && turn.owes.length === 0);
  if (text !== '' && isTold) return { kind: 'end', deliver: text, failed: null, to: readers };
  const failed = unanswered.length > 0 ? 'The turn ended without an answer.' : null;
  return { kind: 'end', deliver: null, failed, to: unanswered };
}

/** True when this message's chat got a visible answer in the turn, or it was silenced. */
export function isAnswered(turn: OpenTurn, owed: OpenTurn['owes'][number]): boolean {
  return turn.answered.includes(owed.routeKey) || turn.silenced.includes(owed.wake);
}

function isBehind(turn: OpenTurn, owed: OpenTurn['owes'][number]): boolean {
  return turn.worked?.includes(owed.routeKey) === true && !turn.silenced.includes(owed.wake);
}

/** Of messages of one chat the newest: those before it have their answer. */
function isReader(turn: OpenTurn, { wake, routeKey }: OpenTurn['owes'][number]): boolean {
  return !turn.silenced.includes(wake) && !isSealed(routeKey);
}

const seal = '\u0000answered before step ';

/**
 * Adds messages that need an answer to a turn whose next step takes them. An answer given before they came is not theirs: messages
 * of the same chat that it did answer keep it under a key of their own.
 */
export function withDebts(turn: OpenTurn, debts: OpenTurn['owes']): OpenTurn {
  const reopened = new Set(debts.map((debt) => debt.routeKey).filter((key) => turn.answered.includes(key)));
  if (reopened.size === 0) return { ...turn, owes: [...turn.owes, ...debts] };
  const sealed = (key: string): string => (reopened.has(key) ? `${key}${seal}${turn.steps + 1}` : key);
  return {
    ...turn,
    owes: [...turn.owes.map((debt) => ({ ...debt, routeKey: sealed(debt.routeKey) })), ...debts],
    answered: turn.answered.map(sealed),
    // What came of the work is told with the answer that this chat gets anyway.
    ...(turn.worked === undefined ? {} : { worked: turn.worked.filter((key) => !reopened.has(key)) }),
  };
}

/** The key of a route has three parts. */
function isSealed(key: string): boolean {
  return key.split('\u0000').length > 3;
}

/** Tools after which there is nothing new to tell: they talk to people, keep the model's own list, wait, or look for tools. */
const quietTools: ReadonlySet<string> = new Set([
  'SendUserMessage',
  'Brief',
  'send_user_file',
  'NoReply',
  'TodoWrite',
  'Sleep',
  'FindTools',
]);

/** The turn after a visible answer to these routes. */
export function withAnswer(turn: OpenTurn, routeKeys: readonly string[]): OpenTurn {
  const answered = [...new Set([...turn.answered, ...routeKeys])];
  return withWorked({ ...turn, answered }, turn.worked?.filter((key) => !routeKeys.includes(key)) ?? []);
}

/** The turn after a call of this tool ended: whoever got an answer before has not read what came of it. */
export function withCall(turn: OpenTurn, tool: string): OpenTurn {
  if (quietTools.has(tool)) return turn;
  const owed = turn.owes.map(({ routeKey }) => routeKey);
  return withWorked(
    turn,
    turn.answered.filter((key) => owed.includes(key) && !isSealed(key)),
  );
}

/** The same turn where nothing changes, so that nothing is written for it. */
function withWorked(turn: OpenTurn, worked: readonly string[]): OpenTurn {
  const { worked: before = [], ...rest } = turn;
  if (worked.length === before.length && worked.every((key) => before.includes(key))) return turn;
  return worked.length === 0 ? rest : { ...rest, worked: [...worked] };
}

/** What the model reads as a nudge. */
export const nudgeText =
  'Your turn is ending and the person has not been answered. Call SendUserMessage with the answer now, or end the turn with the answer as plain text.';

/** The nudge of a model that answered, worked on, and is about to end without a word about it. */
export const workNudgeText =
  'Your turn is ending and the person has not read what came of the work since your last message. Call SendUserMessage with it now, or end the turn with it as plain text; if there is nothing to add, end without text.';
