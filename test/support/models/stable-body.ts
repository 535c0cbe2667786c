import type { SeenRequest } from './seen.ts';

/** A request's body apart from its moving cache marks, as bytes: what is before the messages, each message, what is after. */
export interface StableBody {
  readonly before: string;
  readonly messages: readonly string[];
  readonly after: string;
}

/** Takes a body apart. Throws when its messages are not written the way JSON.stringify does, since then nothing could be compared. */
export function stableBody({ rawBody }: Pick<SeenRequest, 'rawBody'>): StableBody {
  const text = rawBody.toString('utf8');
  const { messages } = JSON.parse(text) as { messages: readonly unknown[] };
  const written = JSON.stringify(messages);
  const at = text.indexOf(written);
  if (at === -1) throw new Error('the messages of this body are written in another way');
  return {
    before: text.slice(0, at),
    messages: messages.map((message) => JSON.stringify(message, withoutMark)),
    after: text.slice(at + written.length),
  };
}

function withoutMark(key: string, value: unknown): unknown {
  return key === 'cache_control' ? undefined : value;
}

/**
 * Where a conversation's bodies stop being one another's beginnings (design 15): a sentence for each request that changed what
 * an earlier one had sent. [] when all are byte-identical.
 */
export function changedBytes(requests: readonly Pick<SeenRequest, 'rawBody' | 'number'>[]): string[] {
  const bodies = requests.map((request) => ({ number: request.number, ...stableBody(request) }));
  return bodies.slice(1).flatMap((body, index) => {
    const earlier = bodies[index];
    if (earlier === undefined) return [];
    const differing = earlier.messages.findIndex((message, at) => message !== body.messages[at]);
    return [
      ...(earlier.before === body.before ? [] : [`request ${body.number}: what is before the messages`]),
      ...(differing === -1 ? [] : [`request ${body.number}: message ${differing}`]),
      ...(earlier.after === body.after ? [] : [`request ${body.number}: what is after the messages`]),
    ];
  });
}
