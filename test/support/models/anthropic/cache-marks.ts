import { isObject } from '../../../../shared/base/json.ts';
import type { PromptPart } from '../prompt-cache.ts';
import { type Loose, blocksOf, objectsIn } from './blocks.ts';

function bare({ cache_control: _mark, ...block }: Loose): Loose {
  return block;
}

function partOf(block: Loose): PromptPart {
  return { content: bare(block), mark: block['cache_control'] !== undefined };
}

/** A request's prompt in the order of the cache: tools, system, messages; marks are not part of the content. */
export function promptParts(body: Loose): readonly PromptPart[] {
  const settings = { thinking: body['thinking'] ?? null, choice: body['tool_choice'] ?? null };
  return [
    ...objectsIn(body['tools']).map(partOf),
    ...blocksOf(body['system'] ?? []).map(partOf),
    // Only the messages depend on these, as on the real server: a change keeps tools and system cached.
    { content: settings, mark: false },
    ...objectsIn(body['messages']).flatMap(({ role, content }) =>
      blocksOf(content).map((block) => {
        const { content: inside, mark } = partOf(block);
        return { content: { role, block: inside }, mark };
      }),
    ),
  ];
}

function* markedBlocks(body: Loose): Iterable<Loose> {
  yield* objectsIn(body['tools']);
  yield* blocksOf(body['system'] ?? []);
  for (const { content } of objectsIn(body['messages'])) {
    for (const block of blocksOf(content)) {
      yield block;
      if (Array.isArray(block['content'])) yield* objectsIn(block['content']);
    }
  }
}

/** At most four marks, each well-formed, longer times to live before shorter ones. */
export function* markProblems(body: Loose): Iterable<string> {
  const marks = [...markedBlocks(body)].flatMap(({ cache_control: mark }) =>
    mark === undefined ? [] : [mark],
  );
  let short = false;
  for (const mark of marks) {
    if (
      !isObject(mark) ||
      mark['type'] !== 'ephemeral' ||
      ![undefined, '5m', '1h'].includes(mark['ttl'] as never)
    ) {
      yield 'cache_control: Input should be {"type": "ephemeral"} with a ttl of 5m or 1h';
    } else if (mark['ttl'] !== '1h') short = true;
    else if (short) {
      yield "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block";
    }
  }
  if (marks.length > 4) {
    yield `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`;
  }
}
