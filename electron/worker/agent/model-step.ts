import { errorCode, errorMessage } from '../../../shared/base/errors.ts';
import type { Reply, Usage } from '../../../shared/domain/messages.ts';
import { type Grant, longest } from '../../../shared/protocol/worker-link.ts';
import type { SessionPort } from './ports.ts';
import type { Work } from './work.ts';

type RequestGrant = Extract<Grant, { kind: 'request' }>;

/** What the daemon granted after the reply, or why there is no reply. */
export type AfterRequest =
  | { readonly kind: 'grant'; readonly grant: Grant }
  | { readonly kind: 'model_failed'; readonly code: string; readonly reason: string };

/** Makes the model request of a begun step and stores the reply. Rejects for faults of the link only. */
export async function runModelStep(work: Work, grant: RequestGrant): Promise<AfterRequest> {
  const { port, conversation, model } = work;
  const { step } = grant;
  conversation.add(grant.messages);
  if (grant.more) await conversation.catchUp(port);
  if (model.contextNeed === 'turn') conversation.keepOnly(step.turn);
  port.activity('thinking');
  try {
    const answer = await request(work, grant);
    if (answer.kind === 'model_failed') return answer;
    return { kind: 'grant', grant: await record(work, step.id, answer.reply, answer.usage) };
  } finally {
    port.activity(null);
  }
}

type Answer = { kind: 'reply'; reply: Reply; usage: Usage } | Extract<AfterRequest, { kind: 'model_failed' }>;

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
    });
    return { kind: 'reply', ...answer };
  } catch (error) {
    return { kind: 'model_failed', code: errorCode(error), reason: errorMessage(error) };
  }
}

async function record(work: Work, step: string, reply: Reply, usage: Usage): Promise<Grant> {
  const known = work.conversation.known;
  try {
    return await work.port.ask('recordReply', { step, reply, usage, known });
  } catch (error) {
    if (errorCode(error) !== 'too_large') throw error;
    const kept = { step, reply: tooLarge(reply.model), usage, known };
    return work.port.ask('recordReply', kept);
  }
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
