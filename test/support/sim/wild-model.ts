import { offlineChoice } from '../../../shared/domain/models.ts';
import { fnv1a } from '../../../shared/domain/approval-code.ts';
import { type ContextMessage, noUsage, type Reply, type ReplyPart } from '../../../shared/domain/messages.ts';
import type { ModelPort } from '../../../electron/worker/agent/ports.ts';
import { Random } from './random.ts';

type CallInput = readonly [tool: string, input: unknown];

/** More replies than this in a turn do not come: the turn ends. */
const mostReplies = 5;

/**
 * A model that does anything a model may do: several calls at once, bad input, unknown tools, no answer, an answer to the
 * wrong chat. The same request gives the same reply.
 */
export const wildModel: ModelPort = {
  contextNeed: 'all',
  repeatLimit: null,
  problem: null,
  limits: offlineChoice,
  write: null,
  request: async ({ step, messages }) => ({
    reply: wildReply(step, messages),
    usage: { ...noUsage, inputTokens: 3, outputTokens: 2 },
  }),
};

/** What the wild model says in this step. */
export function wildReply(step: string, messages: readonly ContextMessage[]): Reply {
  const random = new Random(fnv1a(`${step} ${messages.length}`), 'wild');
  const turn = messages.at(-1)?.turn;
  const own = messages.filter((message) => message.turn === turn);
  const replies = own.filter((message) => message.role === 'assistant').length;
  const refs = own.flatMap((message) => (message.role === 'user' && message.ref ? [message.ref] : []));
  if (replies >= mostReplies || random.chance(0.12)) return lastWords(random);
  const calls = Array.from(
    {
      length: random.weighted([
        [5, 1],
        [3, 2],
        [1, 4],
      ] as const),
    },
    () => wildCall(random, refs),
  );
  const said: ReplyPart[] = random.chance(0.3) ? [{ type: 'text', text: 'Let me see.' }] : [];
  const parts = calls.map(
    ([tool, input], index): ReplyPart => ({ type: 'call', id: `cal_${step}_${index}`, tool, input }),
  );
  return { model: 'wild', parts: [...said, ...parts], stop: 'calls' };
}

function lastWords(random: Random): Reply {
  const text = random.pick(['', '', 'Done, I think.', '  ']);
  return { model: 'wild', parts: text === '' ? [] : [{ type: 'text', text }], stop: 'end' };
}

function wildCall(random: Random, refs: readonly string[]): CallInput {
  const makers: readonly (readonly [number, () => CallInput])[] = [
    [
      4,
      () => [
        'Bash',
        {
          command: random.pick([
            'bump a',
            'bump b 2',
            'bump c 70',
            'task 3',
            'task 90',
            'fail',
            'free',
            'forbidden',
          ]),
        },
      ],
    ],
    [2, () => ['Read', { file_path: random.pick(['f.txt', 'g.txt']) }]],
    [2, () => ['Write', { file_path: random.pick(['f.txt', 'g.txt']), content: `${random.below(100)} 1` }]],
    [
      1,
      () => [
        'Edit',
        { file_path: random.pick(['f.txt', 'g.txt']), old_string: '1', new_string: `${random.below(10)}` },
      ],
    ],
    [5, () => ['SendUserMessage', message(random, refs)]],
    [1, () => ['AskUserQuestion', { question: `Sure ${random.below(10)}?` }]],
    [1, () => ['NoReply', random.chance(0.5) || refs.length === 0 ? {} : { in_reply_to: random.pick(refs) }]],
    [1, () => ['Sleep', { seconds: random.pick([1, 45, 1200, 90_000]) }]],
    [
      1,
      () =>
        random.pick<CallInput>([
          ['Bash', {}],
          ['Nonsense', { a: 1 }],
          ['Sleep', { seconds: -1 }],
          ['SendUserMessage', {}],
          ['AskUserQuestion', 7],
        ]),
    ],
  ];
  return random.weighted(makers)();
}

function message(random: Random, refs: readonly string[]): unknown {
  const status = random.chance(0.15) ? 'proactive' : 'normal';
  const ref = random.weighted([
    [3, undefined],
    [4, refs.length > 0 ? random.pick(refs) : undefined],
    [0.3, 'm999'],
  ] as const);
  return { message: `word ${random.below(4)}`, status, ...(ref === undefined ? {} : { in_reply_to: ref }) };
}
