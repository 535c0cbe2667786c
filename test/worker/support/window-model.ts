import { KairosError } from '../../../shared/base/errors.ts';
import type { ContextMessage, Reply, Usage } from '../../../shared/domain/messages.ts';
import { noUsage } from '../../../shared/domain/messages.ts';
import type { ModelPort, ModelRequest, SideRequest } from '../../../electron/worker/agent/ports.ts';
import { frameTokens, sumTokens, textTokens } from '../../../electron/worker/agent/tokens.ts';

/** What a model with a small window was asked. */
export interface WindowLog {
  /** Frame and context of each request that was answered, as JSON. */
  readonly requests: string[];
  readonly refused: string[];
  readonly sides: SideRequest[];
}

/** How it answers; `write` throwing is a failed side request. */
export interface WindowMind {
  readonly contextTokens: number;
  readonly maxOutputTokens?: number;
  readonly reply: (request: ModelRequest) => Reply;
  readonly write?: ((request: SideRequest) => string) | null;
  /** What the provider counts, of what is there; by default as we estimate. */
  readonly counts?: (tokens: number) => number;
  /** It tells how many tokens a request had; default true. */
  readonly tells?: boolean;
}

/** A model that takes no request larger than its window, and none in which a result has lost its call. */
export function windowModel(mind: WindowMind): { model: ModelPort; log: WindowLog } {
  const log: WindowLog = { requests: [], refused: [], sides: [] };
  const {
    contextTokens,
    maxOutputTokens = 500,
    write = () => 'The summary.',
    counts = (n) => n,
    tells = true,
  } = mind;
  const model: ModelPort = {
    contextNeed: 'all',
    repeatLimit: 5,
    problem: null,
    limits: { ref: 'test/window', contextTokens, maxOutputTokens },
    async request(request) {
      const { frame, messages } = request;
      const content = JSON.stringify([frame, messages]);
      const tokens = counts(frameTokens(frame) + sumTokens(messages));
      if (tokens + maxOutputTokens > contextTokens) {
        log.refused.push(content);
        throw new KairosError('context_too_long', `${tokens} tokens are too many.`);
      }
      requireWhole(messages);
      log.requests.push(content);
      return { reply: mind.reply(request), usage: { ...noUsage, inputTokens: tells ? tokens : 0 } };
    },
    write: write === null ? null : async (request) => side(log, write, request),
  };
  return { model, log };
}

function side(
  log: WindowLog,
  write: (request: SideRequest) => string,
  request: SideRequest,
): { text: string; usage: Usage } {
  log.sides.push(request);
  return { text: write(request), usage: { ...noUsage, inputTokens: textTokens(request.text) } };
}

/** What a provider refuses: a result without its call before it, a call without its result after it. */
function requireWhole(messages: readonly ContextMessage[]): void {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'result' && !open.delete(message.call))
      throw new Error(`Result of ${message.call} without its call.`);
    if (message.role !== 'result' && open.size > 0)
      throw new Error(`Calls without results: ${[...open].join()}.`);
    if (message.role !== 'assistant') continue;
    for (const part of message.reply.parts) if (part.type === 'call') open.add(part.id);
  }
  if (open.size > 0) throw new Error(`Calls without results: ${[...open].join()}.`);
}
