import { assertNever } from '../../../shared/base/assert-never.ts';
import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import type { StopSignal } from '../../../shared/base/ports.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';
import type { CallResult, ContextMessage } from '../../../shared/domain/messages.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import type { BeginCallAnswer, CallState, Grant } from '../../../shared/protocol/worker-link.ts';
import { type Granted, grantedBy } from './granted.ts';
import { hooksWhileAsking } from './hooked-asking.ts';
import { type HookedCall, hookedCall, hookedResult, withNotes } from './hooked-call.ts';
import type { OpenCall, Prepared } from './ports.ts';
import { refusedFacts, repeatedText, repeatsInTurn, stoppedText } from './refused-call.ts';
import { textTokens } from './tokens.ts';
import { contextSize, type Work } from './work.ts';

type CallsGrant = Extract<Grant, { kind: 'calls' }>;

/** What follows the calls of a step: a grant, a wait for somebody, or another question to the daemon. */
export type AfterCalls =
  | { readonly kind: 'grant'; readonly grant: Grant }
  | { readonly kind: 'wait' | 'ask' };

/** Works through the calls of a stored reply that have no result, in order; stops before the next one when asked to. */
export async function runCalls(work: Work, grant: CallsGrant, stop: StopSignal): Promise<AfterCalls> {
  const open = grant.calls.filter((call) => call.state === 'open');
  if (open.length === 0) return { kind: 'ask' };
  const limit = repeatLimit(work);
  if (limit !== null) await work.conversation.catchUp(work.port);
  const repeats = limit === null ? null : repeatsInTurn(earlierInTurn(work, grant), grant.reply);
  for (const call of open) {
    if (stop.aborted) return { kind: 'ask' };
    const after = await runCall(work, call, { grant, repeats: repeats?.get(call.id) ?? 0 }, stop);
    if (after === 'wait' || after === 'ask') return { kind: after };
    if (after !== null) return { kind: 'grant', grant: after };
  }
  return { kind: 'ask' };
}

interface CallPlace {
  readonly grant: CallsGrant;
  /** How many equal calls stand directly before it. */
  readonly repeats: number;
}

/** The next grant when this was the step's last call, null while others remain; `ask`: its hooks were cut off, it is undecided. */
async function runCall(
  work: Work,
  call: CallState,
  { grant, repeats }: CallPlace,
  stop: StopSignal,
): Promise<Grant | 'wait' | 'ask' | null> {
  const limit = repeatLimit(work);
  const { turn } = grant.step;
  // It was told once: a model that goes on with it all the same does not come to an end.
  if (limit !== null && repeats > limit) return endTurn(work, turn, stoppedText(call.tool, repeats));
  const hooked: HookedCall =
    limit !== null && repeats === limit
      ? { kind: 'prepared', prepared: { kind: 'bad', message: repeatedText(call.tool, limit) }, notes: [] }
      : await hookedCall(work, call, (each) => prepare(work, each), stop);
  if (hooked.kind === 'cut') return 'ask';
  if (hooked.kind === 'stop') return endTurn(work, turn, hooked.reason);
  const { prepared, notes } = hooked;
  const facts =
    prepared.kind === 'ready' ? prepared.facts : refusedFacts(call, work.port.lease.dir, prepared.message);
  const answer = await begin(work, grant.step.id, call, facts);
  switch (answer.kind) {
    case 'granted':
      if (prepared.kind === 'bad')
        return end(work, call.id, withNotes({ outcome: 'error', output: prepared.message }, notes));
      return runGranted(work, grantedBy(answer, call, facts), { turn, notes }, stop);
    case 'asking':
      await hooksWhileAsking(work, call, { code: answer.code, facts }, stop);
      return 'wait';
    case 'sleeping':
      return 'wait';
    case 'ended':
      work.hookedCalls.delete(call.id);
      return answer.next;
    default:
      return assertNever(answer, 'answer to beginCall');
  }
}

/** Runs a call with the hooks after it, and stores its end. */
async function runGranted(
  work: Work,
  granted: Granted,
  { turn, notes }: { readonly turn: string; readonly notes: readonly string[] },
  stop: StopSignal,
): Promise<Grant | null> {
  const { call, facts } = granted;
  const result = await execute(work, granted);
  const after = await hookedResult(work, call, { facts, result, notes }, stop);
  const next = await end(work, call.id, after.result);
  return after.stop === null ? next : endTurn(work, turn, after.stop);
}

/** A model without a limit has none; otherwise the settings' one holds. */
function repeatLimit({ model, port }: Work): number | null {
  return model.repeatLimit === null ? null : (port.lease.loop?.repeatLimit ?? model.repeatLimit);
}

/** The turn without the reply in hand, whose stored form is not counted twice. */
function earlierInTurn({ conversation }: Work, { step }: CallsGrant): readonly ContextMessage[] {
  const own = new Set(step.calls);
  const isOwn = (message: ContextMessage): boolean =>
    message.role === 'assistant' &&
    message.reply.parts.some((part) => part.type === 'call' && own.has(part.id));
  return conversation.ofTurn(step.turn).filter((message) => !isOwn(message));
}

async function endTurn(work: Work, turn: string, reason: string): Promise<Grant> {
  return work.port.ask('failTurn', { turn, reason });
}

async function prepare(work: Work, call: OpenCall): Promise<Prepared> {
  try {
    return await work.tools.prepare(call);
  } catch (error) {
    return { kind: 'bad', message: `${call.tool}: ${errorMessage(error)}` };
  }
}

async function begin(work: Work, step: string, call: OpenCall, facts: CallFacts): Promise<BeginCallAnswer> {
  const { known } = work.conversation;
  return work.port.ask('beginCall', { step, call: call.id, facts, known, ...contextSize(work) });
}

async function execute(work: Work, granted: Granted): Promise<CallResult> {
  const { port, tools } = work;
  const { tool, subject } = granted.facts;
  port.activity(subject === '' ? tool : `${tool}: ${oneLine(subject, 120)}`);
  try {
    return await tools.execute(granted, port.interrupt);
  } catch (error) {
    return { outcome: 'error', output: `${tool} failed: ${errorMessage(error)}` };
  } finally {
    port.activity(null);
  }
}

async function end(work: Work, call: string, result: CallResult): Promise<Grant | null> {
  const { known } = work.conversation;
  work.hookedCalls.delete(call);
  work.conversation.expect(textTokens(result.output));
  try {
    return (await work.port.ask('endCall', { call, result, known, ...contextSize(work) })).next;
  } catch (error) {
    if (errorCode(error) !== 'too_large') throw error;
    const short: CallResult = {
      outcome: result.outcome,
      output: 'It ended, but its output is too large to be stored.',
    };
    work.conversation.expect(textTokens(short.output) - textTokens(result.output));
    return (await work.port.ask('endCall', { call, result: short, known, ...contextSize(work) })).next;
  }
}
