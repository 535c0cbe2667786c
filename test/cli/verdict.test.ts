import { afterEach, beforeEach, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { type Harness, createHarness } from './support/cli-harness.ts';
import { contract } from './support/contract.ts';
import { type FakeBridge, startFakeBridge } from './support/fake-bridge.ts';

let harness: Harness;
let bridge: FakeBridge;

beforeEach(async () => {
  harness = createHarness();
  bridge = await startFakeBridge();
  await harness.announce(bridge);
});
afterEach(async () => {
  await bridge.close();
  harness.dispose();
});

/** What a command sent, without looking around first. */
function sent(): unknown[] {
  return bridge.seen.filter(({ route }) => !route.startsWith('GET')).map(({ route, body }) => [route, body]);
}

function shape<Value>(schema: z.ZodMiniType<Value>, text: string): Value {
  return schema.parse(JSON.parse(text));
}

test.each([
  ['accepted', 0, []],
  ['unknown', 1, ['See what is open: kairos approvals']],
  ['already_answered', 5, []],
  ['expired', 5, []],
  ['not_allowed', 5, ['See it whole: kairos approvals']],
])(
  'a verdict with outcome %s ends with %i and says who was first and what helps',
  async (outcome, code, next) => {
    const answer = {
      outcome,
      by: outcome === 'already_answered' ? 'phone' : null,
      message: `It is ${outcome}.`,
    };
    bridge.routes['POST /prompts/abcde/verdict'] = () => ({ body: answer });
    const ran = await harness.run(['approve', 'ABCDE', '--json']);
    expect([ran.code, shape(contract.verdict, ran.out), ran.err]).toEqual([
      code,
      answer,
      `${[`It is ${outcome}.`, ...next].join(' ')}\n`.repeat(code === 0 ? 0 : 1),
    ]);
  },
);

test('approve, deny and answer send what the person said', async () => {
  bridge.routes['POST /prompts/abcde/verdict'] = () => ({
    body: { outcome: 'accepted', by: 'cli', message: 'Allowed.' },
  });
  const session = await harness.run(['approve', 'abcde', '--scope', 'session']);
  bridge.seen.length = 0;
  bridge.routes['POST /prompts/abcde/verdict'] = () => ({
    body: { outcome: 'accepted', by: 'cli', message: 'Allowed always, by the rule Bash(ls:*).' },
  });
  const always = await harness.run(['approve', 'abcde', '--scope', 'always']);
  bridge.routes['POST /prompts/abcde/verdict'] = () => ({
    body: { outcome: 'accepted', by: 'cli', message: 'Allowed.' },
  });
  await harness.run(['deny', 'abcde', '--reason', 'not today']);
  await harness.run(['deny', 'abcde']);
  await harness.run(['answer', 'abcde', 'something else', '--own-words']);
  const { out } = await harness.run(['answer', 'abcde', 'B, please']);
  const route = 'POST /prompts/abcde/verdict';
  expect([session.out, always.out, out, ...sent()]).toEqual([
    'Allowed.\n',
    'Allowed always, by the rule Bash(ls:*). To take it back: kairos rules, then kairos rules revoke ID\n',
    'Allowed.\n',
    [route, { verdict: { behavior: 'allow', scope: 'always' } }],
    [route, { verdict: { behavior: 'deny', reason: 'not today' } }],
    [route, { verdict: { behavior: 'deny' } }],
    [route, { verdict: { behavior: 'answer', text: 'something else', ownWords: true } }],
    [route, { verdict: { behavior: 'answer', text: 'B, please' } }],
  ]);
});

test('a refused scope names the one that is left; a refused answer how to insist', async () => {
  bridge.routes['POST /prompts/abcde/verdict'] = () => ({
    body: { outcome: 'not_allowed', by: null, message: 'No.' },
  });
  const always = await harness.run(['approve', 'abcde', '--scope', 'always']);
  const answer = await harness.run(['answer', 'abcde', 'D']);
  expect([always.err, answer.err]).toEqual([
    'No. Allow it once: kairos approve abcde\n',
    'No. If you mean just that: kairos answer abcde TEXT --own-words\n',
  ]);
});

test('a verdict whose answer got lost is not sent again', async () => {
  bridge.routes['POST /prompts/abcde/verdict'] = () => 'drop';
  const { code, out, err } = await harness.run(['approve', 'abcde', '--json']);
  expect([code, out, err.includes('it is not known whether it was done'), sent().length]).toEqual([
    1,
    '',
    true,
    1,
  ]);
});
