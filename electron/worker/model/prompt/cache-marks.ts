import type { SdkMessage } from '../wire/sdk-types.ts';

/** The mark up to which Anthropic keeps a prompt in its cache. */
export const cacheMark = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * Marks the last message of the newest two turns of the person's side: the older mark is where the last request ended (what
 * can be read), the newer one is what the next request will read. With those at the end of tools and system there are four,
 * as many as the wire takes.
 */
export function markMessages(messages: readonly SdkMessage[]): SdkMessage[] {
  const ends = messages.flatMap(({ role }, at) =>
    role !== 'assistant' && (messages[at + 1]?.role ?? 'assistant') === 'assistant' ? [at] : [],
  );
  const marked = new Set(ends.slice(-2));
  return messages.map((message, at) =>
    marked.has(at) ? { ...message, providerOptions: cacheMark } : message,
  );
}
