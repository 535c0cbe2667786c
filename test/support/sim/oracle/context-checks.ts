import { canonicalJson } from '../../../../shared/base/json.ts';
import type { ContextMessage } from '../../../../shared/domain/messages.ts';
import { fitMessage } from '../../../../electron/worker/agent/fit-message.ts';
import { compactionMessage, projectContext } from '../../../../shared/session/context.ts';
import type { Request } from '../ledgers.ts';
import type { Facts, SessionLog, Violation } from './facts.ts';

/** What a model saw is what the log gives, and a provider would take it. */
export function checkContexts(facts: Facts): Violation[] {
  const logs = new Map(facts.logs.map((log) => [log.row.id, log]));
  return facts.ledgers.requests.flatMap((request) => {
    const log = logs.get(request.session);
    return log ? checkRequest(request, log) : [`a model was asked for an unknown session ${request.session}`];
  });
}

function checkRequest(request: Request, log: SessionLog): Violation[] {
  const began = log.events.find((event) => event.type === 'step.began' && event.body.step === request.step);
  if (began?.type !== 'step.began') return [`a model was asked for step ${request.step}, which never began`];
  const texts = new Map(
    log.events.flatMap((event) =>
      event.type === 'message.received' ? [[event.seq, event.body] as const] : [],
    ),
  );
  const upTo = log.events.filter((event) => event.seq <= began.seq);
  const seen = canonicalJson(request.messages.map(withoutPlace));
  const fits = compactionsFor(request, log).some((compaction) => {
    const kept = upTo.filter((event) => event.seq >= (compaction?.from ?? 0));
    const whole = projectContext(kept, (seq) => texts.get(seq));
    const wanted =
      request.need === 'all' ? whole : whole.filter((message) => message.turn === began.body.turn);
    const expected = [
      ...(compaction === null ? [] : [compactionMessage(compaction)]),
      ...fitted(request, wanted),
    ];
    return canonicalJson(expected.map(withoutPlace)) === seen;
  });
  if (!fits) {
    return [
      `step ${request.step}: the model saw another context than the log gives (${request.messages.length} messages)`,
    ];
  }
  return checkPairs(request.step, request.messages);
}

type Compaction = { readonly from: number; readonly text: string } | null;

/** What may stand before the conversation: the newest compaction that was known then, or one that was stored since. */
function compactionsFor({ need, lastEvent }: Request, { events }: SessionLog): readonly Compaction[] {
  const stored = events.flatMap((event) => (event.type === 'context.compacted' ? [event] : []));
  if (need === 'turn' || stored.length === 0) return [null];
  const known = stored.findLastIndex((event) => event.id <= lastEvent);
  return [null, ...stored.map(({ body }) => body)].slice(known + 1);
}

/** Long texts are cut to a model's room, by the text and the room alone. */
function fitted({ room }: Request, messages: readonly ContextMessage[]): readonly ContextMessage[] {
  return room === null ? messages : messages.map((message) => fitMessage(message, room));
}

/** A runner with a context of its own need not know where its own replies stand in the log. */
function withoutPlace(message: ContextMessage): ContextMessage {
  if (message.role !== 'assistant') return message;
  const { role, reply, turn } = message;
  return { role, reply, turn, seq: 0 };
}

/** Each call has exactly one result, before anything else is said. */
function checkPairs(step: string, messages: readonly ContextMessage[]): Violation[] {
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'result') {
      if (!open.delete(message.call)) return [`step ${step}: the context has a result without its call`];
      continue;
    }
    if (open.size > 0) return [`step ${step}: the context has a call without its result`];
    if (message.role === 'assistant')
      open = new Set(message.reply.parts.flatMap((part) => (part.type === 'call' ? [part.id] : [])));
  }
  return open.size > 0 ? [`step ${step}: the context ends with a call without its result`] : [];
}
