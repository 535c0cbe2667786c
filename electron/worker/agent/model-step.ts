import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import type { StopSignal } from '../../../shared/base/ports.ts';
import type { Reply, Usage } from '../../../shared/domain/messages.ts';
import { type Grant, longest } from '../../../shared/protocol/worker-link.ts';
import { ModelError, type SessionPort } from './ports.ts';
import { type Compacted, type CompactionWay, isFull } from './compact.ts';
import { hookedCompaction } from './hooked-compaction.ts';
import { hookedMessages } from './hooked-messages.ts';
import { wishToGoOn } from './hooked-stop.ts';
import { modeNews } from './mode-news.ts';
import { replyTokens } from './tokens.ts';
import { contextSize, type Work } from './work.ts';

type RequestGrant = Extract<Grant, { kind: 'request' }>;

/** What the daemon granted after the reply, or why there is no reply; `left`: the session was to be let go before the request. */
export type AfterRequest =
  | { readonly kind: 'grant'; readonly grant: Grant }
  | { readonly kind: 'left' }
  | {
      readonly kind: 'model_failed';
      readonly code: string;
      readonly reason: string;
      /** Nothing was spent on it. */
      readonly unspent?: boolean;
    };

/** Makes the model request of a begun step and stores the reply. Rejects for faults of the link only. */
export async function runModelStep(work: Work, grant: RequestGrant, stop: StopSignal): Promise<AfterRequest> {
  const { port, conversation, model } = work;
  const { step } = grant;
  conversation.add(grant.messages);
  if (grant.more) await conversation.catchUp(port);
  if (model.contextNeed === 'turn') conversation.keepOnly(step.turn);
  else if (step.n === 1 && !grant.repeated) await tellNews(work, grant);
  const hooked = await hookedMessages(work, grant, stop);
  if (hooked.kind === 'ended') return { kind: 'grant', grant: hooked.grant };
  if (hooked.kind === 'cut') return { kind: 'left' };
  port.activity('thinking');
  try {
    const answer =
      model.contextNeed === 'turn' ? await request(work, grant) : await requestThatFits(work, grant);
    if (answer.kind === 'model_failed') return answer;
    const goOn = await wishToGoOn(work, step.turn, answer.reply, stop);
    return { kind: 'grant', grant: await record(work, step.id, answer, goOn) };
  } finally {
    port.activity(null);
  }
}

type Answer = { kind: 'reply'; reply: Reply; usage: Usage } | Extract<AfterRequest, { kind: 'model_failed' }>;

/** Instruction files are pinned with the frame: what changed in them since, and plan mode, are told once, at the beginning of a turn. */
async function tellNews(
  { port, conversation, frames, frame }: Work,
  { step, mode }: RequestGrant,
): Promise<void> {
  const files = await frames.news(conversation.notedInstructions ?? frame.instructions ?? '');
  const all = [files, modeNews(mode, conversation.notedMode)].filter((news) => news !== null);
  for (const news of all) await port.ask('note', { turn: step.turn, ...news });
  if (all.length > 0) await conversation.catchUp(port);
}

type Failed = Extract<AfterRequest, { kind: 'model_failed' }>;

/** Why no request is made; an interrupt parks nothing. */
const withoutRoom: Readonly<Record<Exclude<Compacted, 'done'>, Failed>> = {
  blocked: {
    kind: 'model_failed',
    code: 'context_blocked',
    reason:
      'this conversation does not fit into the context window of its model, not even as a summary. Choose a model with a larger window (kairos models), or make the instruction files of the directory shorter; then take the session up again (kairos retry).',
  },
  interrupted: { kind: 'model_failed', code: 'interrupted', reason: 'interrupted' },
};

/** The request with a context that was made smaller first where it had to be, or after the provider found it too long. */
async function requestThatFits(work: Work, grant: RequestGrant): Promise<Answer> {
  const { turn } = grant.step;
  if (isFull(work)) {
    const made = await compacted(work, turn, 'summary');
    if (made !== 'done') return withoutRoom[made];
  }
  for (const way of ['summary', 'least'] as const) {
    const answer = await request(work, grant);
    if (answer.kind === 'reply' || answer.code !== 'context_too_long') return answer;
    // Remembered, so that not every filling of the window costs a refused request.
    work.tooLong = Math.min(work.tooLong ?? Number.POSITIVE_INFINITY, work.conversation.tokens(work.frame));
    const made = await compacted(work, turn, way);
    if (made !== 'done') return withoutRoom[made];
  }
  const last = await request(work, grant);
  return last.kind === 'model_failed' && last.code === 'context_too_long' ? withoutRoom.blocked : last;
}

async function compacted(work: Work, turn: string, way: CompactionWay): Promise<Compacted> {
  work.port.activity('summarising what came before');
  try {
    return await hookedCompaction(work, turn, way);
  } finally {
    work.port.activity('thinking');
  }
}

async function request({ port, conversation, model, frame }: Work, grant: RequestGrant): Promise<Answer> {
  const step = grant.step.id;
  try {
    const answer = await model.request({
      step,
      repeated: grant.repeated,
      frame,
      messages: conversation.messages,
      picture: (hash) => picture(port, hash),
      signal: port.interrupt,
      onDraft: (draft) => port.draft({ ...draft, step }),
      onWait: (text) => port.activity(text ?? 'thinking'),
    });
    return { kind: 'reply', ...answer };
  } catch (error) {
    const unspent = error instanceof ModelError && error.unspent;
    return { kind: 'model_failed', code: errorCode(error), reason: errorMessage(error), unspent };
  }
}

async function record(
  work: Work,
  step: string,
  { reply: whole, usage }: Extract<Answer, { kind: 'reply' }>,
  goOn: string | null,
): Promise<Grant> {
  const { known } = work.conversation;
  const count = whole.parts.filter((part) => part.type === 'call').length;
  const reply = count > mostCalls ? tooMany(whole.model, count) : whole;
  work.conversation.expect(replyTokens(reply));
  try {
    const wish = goOn === null ? {} : { goOn };
    return await work.port.ask('recordReply', { step, reply, usage, known, ...wish, ...contextSize(work) });
  } catch (error) {
    if (errorCode(error) !== 'too_large') throw error;
    const short = tooLarge(reply.model);
    // What is not stored stands in no later request.
    work.conversation.expect(replyTokens(short) - replyTokens(reply));
    return work.port.ask('recordReply', { step, reply: short, usage, known, ...contextSize(work) });
  }
}

/** Calls of a reply that is stored, whatever the settings allow to be run; each is a row and an event. */
const mostCalls = 5_000;

function tooMany(model: string, count: number): Reply {
  const text = `The reply asked for ${count} calls at once, more than can be stored (${mostCalls}). None of them was run. Ask for fewer at a time.`;
  return { model, parts: [{ type: 'text', text }], stop: 'error' };
}

function tooLarge(model: string): Reply {
  const most = longest.reply / 1024 / 1024;
  const text = `The reply was larger than ${most} MB and could not be stored. Ask for it in smaller parts.`;
  return { model, parts: [{ type: 'text', text }], stop: 'error' };
}

async function picture(port: SessionPort, hash: string): Promise<Uint8Array | null> {
  const { base64 } = await port.ask('blob', { hash });
  return base64 === null ? null : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
