import * as z from 'zod/mini';
import { type Route, routeKey, viewersRoute } from '../../../../shared/domain/origin-route.ts';
import type { CallPlan, OutMessage } from '../../events/port.ts';
import { checkedFiles, filesText } from './attached-files.ts';
import { badInput, failed, type HostInput, ok, type Owed } from './host-input.ts';

const sendSchema = z.object({
  message: z.string().check(z.minLength(1)),
  attachments: z._default(z.array(z.string()), []),
  status: z._default(z.enum(['normal', 'proactive']), 'normal'),
  in_reply_to: z.optional(z.string()),
});
const fileSchema = z.object({
  path: z.string().check(z.minLength(1)),
  caption: z._default(z.string(), ''),
  status: z._default(z.enum(['normal', 'proactive']), 'normal'),
  in_reply_to: z.optional(z.string()),
});
const referring = z.object({ in_reply_to: z.string() });

/** The message that a call says it answers, as far as its input can be read. */
export function namedMessage(input: unknown): string | null {
  return referring.safeParse(input).data?.in_reply_to ?? null;
}

/** A message with what could be sent of its files: one that cannot never holds the message up, it is told beside it. */
export function planSend(input: HostInput): CallPlan {
  const parsed = sendSchema.safeParse(input.facts.input);
  if (!parsed.success) return badInput('SendUserMessage', parsed.error);
  const { message, status, in_reply_to: inReplyTo } = parsed.data;
  return sending(input, { text: message, status, inReplyTo: inReplyTo ?? null });
}

/** One file with words of its own; without the file there is nothing to send. */
export function planSendFile(input: HostInput): CallPlan {
  const parsed = fileSchema.safeParse(input.facts.input);
  if (!parsed.success) return badInput('send_user_file', parsed.error);
  const { sent, lost } = checkedFiles(input.facts, input.places);
  if (sent.length === 0) return failed(`send_user_file: nothing was sent. ${filesText([], lost)}`);
  const { caption, status, in_reply_to: inReplyTo } = parsed.data;
  return sending(input, { text: caption.trim(), status, inReplyTo: inReplyTo ?? null });
}

function sending(input: HostInput, said: Pick<OutMessage, 'text' | 'status' | 'inReplyTo'>): CallPlan {
  const route = replyRoute(input, said.inReplyTo);
  if (typeof route === 'string') return failed(route);
  const { sent, lost } = checkedFiles(input.facts, input.places);
  const files = { ...(sent.length > 0 ? { attachments: sent } : {}), ...(lost.length > 0 ? { lost } : {}) };
  const told = ['Delivered.', filesText(sent, lost)].filter((text) => text !== '').join(' ');
  return { do: 'send', message: { ...said, routes: [route], ...files }, result: ok(told) };
}

function replyRoute({ facts, owed }: HostInput, inReplyTo: string | null): Route | string {
  const { tool } = facts;
  if (inReplyTo !== null) {
    const found = owed.find((message) => message.ref === inReplyTo);
    if (found) return found.route;
    return `${tool}: no message ${inReplyTo} in this turn (there is: ${refsOf(owed) || 'none'}).`;
  }
  const open = owed.filter((message) => !message.answered);
  const waiting = open.length > 0 ? open : owed;
  const routes = new Map(waiting.map((message) => [routeKey(message.route), message.route]));
  if (routes.size > 1)
    return `${tool}: messages of several chats wait for an answer; say which one with in_reply_to (${refsOf(open)}).`;
  return [...routes.values()][0] ?? viewersRoute;
}

function refsOf(owed: readonly Owed[]): string {
  return owed.map((message) => message.ref).join(', ');
}
