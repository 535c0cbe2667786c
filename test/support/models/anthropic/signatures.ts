import { createHmac, randomBytes } from 'node:crypto';
import { type Loose, blocksOf } from './blocks.ts';

/** Signs thinking for a model, and knows which call came after which thinking. One per server. */
export interface Signatures {
  sign(model: string, thinking: string): string;
  /** Remembers that this call of the model's answer belongs to this thinking. */
  bind(callId: string, model: string, signature: string): void;
  problems(messages: readonly Loose[], model: string): Iterable<string>;
}

/** `seed` makes signatures that another server with the same seed accepts; by default none does. */
export function createSignatures(seed = randomBytes(16).toString('hex')): Signatures {
  const bound = new Map<string, { readonly model: string; readonly signature: string }>();
  const sign = (model: string, thinking: string): string =>
    createHmac('sha256', seed).update(`${model}\n${thinking}`).digest('base64');

  function* missing(message: Loose, index: number, model: string): Iterable<string> {
    const blocks = blocksOf(message['content']);
    for (const [at, block] of blocks.entries()) {
      const expected = block['type'] === 'tool_use' ? bound.get(String(block['id'])) : undefined;
      if (expected?.model !== model) continue;
      const before = blocks.slice(0, at).some(({ signature }) => signature === expected.signature);
      if (!before) {
        yield `messages.${index}.content.${at}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`tool_use\`. When \`thinking\` is enabled, the assistant message of a running tool loop must start with its thinking block.`;
      }
    }
  }

  return {
    sign,
    bind: (callId, model, signature) => bound.set(callId, { model, signature }),
    *problems(messages, model) {
      for (const [index, message] of messages.entries()) {
        for (const [at, block] of blocksOf(message['content']).entries()) {
          if (block['type'] !== 'thinking') continue;
          if (block['signature'] !== sign(model, String(block['thinking']))) {
            yield `messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block`;
          }
        }
      }
      // Only the running tool loop needs its thinking; older turns may drop it.
      const loopStart = messages.findLastIndex(
        ({ role, content }) =>
          role === 'user' && !blocksOf(content).some(({ type }) => type === 'tool_result'),
      );
      for (const [index, message] of messages.entries()) {
        if (index > loopStart) yield* missing(message, index, model);
      }
    },
  };
}
