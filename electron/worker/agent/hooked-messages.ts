import type { StopSignal } from '../../../shared/base/ports.ts';
import type { HookWords } from '../../../shared/domain/hooks/combine.ts';
import type { HookOccasion } from '../../../shared/domain/hooks/occasions.ts';
import type { ContextMessage } from '../../../shared/domain/messages.ts';
import type { OpenStep } from '../../../shared/domain/steps.ts';
import type { Grant } from '../../../shared/protocol/worker-link.ts';
import { withheldText } from '../../../shared/session/context.ts';
import { anySignal } from './any-signal.ts';
import { hookNote } from './hook-note.ts';
import type { Work } from './work.ts';

type RequestGrant = Extract<Grant, { kind: 'request' }>;
type UserMessage = Extract<ContextMessage, { role: 'user' }>;

/** What hooks make of a request before it is made: it goes on, its turn is over (`grant` follows), or the hooks were cut off. */
export type HookedMessages =
  | { readonly kind: 'go' | 'cut' }
  | { readonly kind: 'ended'; readonly grant: Grant };

/** Runs SessionStart at the first request of a runner, then UserPromptSubmit for each message that this step brought. */
export async function hookedMessages(
  work: Work,
  grant: RequestGrant,
  stop: StopSignal,
): Promise<HookedMessages> {
  const { step, repeated } = grant;
  // In the middle of a turn the request of a worker that died is repeated as it was.
  if (!work.begun && !(repeated && step.n > 1)) {
    const begun = await tellHooks(work, step, { event: 'SessionStart', source: work.hooks.begins }, stop);
    if (begun !== null) return begun;
    work.begun = true;
  }
  for (const message of fresh(work, step)) {
    const ended = await submitted(work, step, message, stop);
    if (ended !== null) return ended;
  }
  return { kind: 'go' };
}

function submitted(
  work: Work,
  step: OpenStep,
  { text, ref = '' }: UserMessage,
  stop: StopSignal,
): Promise<HookedMessages | null> {
  // Its worker died before the turn was over.
  if (text === withheldText)
    return blocked(work, step.turn, { by: 'before a restart', text: 'see the log of the session' }, ref);
  return tellHooks(work, step, { event: 'UserPromptSubmit', prompt: text, ref }, stop);
}

/** null: the turn goes on. */
async function tellHooks(
  work: Work,
  { turn }: OpenStep,
  occasion: Extract<HookOccasion, { event: 'SessionStart' | 'UserPromptSubmit' }>,
  stop: StopSignal,
): Promise<HookedMessages | null> {
  const { hooks, port } = work;
  const message = occasion.event === 'UserPromptSubmit' ? occasion.ref : null;
  const outcome = await hooks.fire(occasion, anySignal(stop, port.interrupt));
  if (outcome === 'cut') return { kind: 'cut' };
  const block = message === null ? outcome.stop : (outcome.block ?? outcome.stop);
  if (block !== null) return blocked(work, turn, block, message);
  await tell(work, turn, hookNote(occasion.event, message), outcome.context);
  return null;
}

/** The message is withheld from the model for good (the hook's event says so); whoever waits for an answer reads why. */
async function blocked(
  { port, conversation }: Work,
  turn: string,
  { by, text }: HookWords,
  message: string | null,
): Promise<HookedMessages> {
  if (message !== null) conversation.withhold(turn, message);
  const what = message === null ? 'Stopped' : 'This message was blocked';
  const grant = await port.ask('failTurn', { turn, reason: `${what} by the hook (${by}): ${text}` });
  return { kind: 'ended', grant };
}

/** Adds what hooks say to the conversation. A model that reads its turn's messages only takes them as commands: it is told nothing. */
async function tell(work: Work, turn: string, digest: string, words: readonly HookWords[]): Promise<void> {
  const { port, conversation, model } = work;
  if (words.length === 0 || model.contextNeed === 'turn') return;
  // Told before the worker before this one died.
  if (conversation.isNoted(turn, digest)) return;
  const text = words.map((each) => `Added by the hook (${each.by}):\n${each.text}`).join('\n\n');
  await port.ask('note', { turn, text, digest });
  await conversation.catchUp(port);
}

/** What people and channels wrote since the step before; after a crash it is looked at again. */
function fresh({ conversation }: Work, step: OpenStep): readonly UserMessage[] {
  if (step.wakes.length === 0) return [];
  const said = conversation
    .ofTurn(step.turn)
    .filter((message) => message.role === 'user' && message.ref !== undefined)
    .filter((message) => message.role === 'user');
  const newest = said.at(-1)?.seq;
  return said.filter(({ seq }) => seq === newest);
}
