import { realpathSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { limits } from '../../shared/protocol/bridge.ts';
import { type Harness, createHarness } from './support/cli-harness.ts';
import { contract } from './support/contract.ts';
import { type FakeBridge, startFakeBridge } from './support/fake-bridge.ts';
import { sampleAnswer, sampleSession } from './support/samples.ts';

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

test('send without --wait returns what the daemon stored, with the directory of the caller', async () => {
  harness.env.KAIROS_MODEL = 'offline';
  bridge.routes['POST /messages'] = () => ({ status: 201, body: sampleAnswer({ name: 'payments' }) });
  const { code, out } = await harness.run(['send', 'hello', '--session', 'payments', '--json']);
  const answer = shape(contract.send, out);
  const [[, body]] = sent() as [[string, Record<string, string>]];
  expect([code, answer, { ...body, uuid: body.uuid?.length }]).toEqual([
    0,
    { ...sampleAnswer(), name: 'payments' },
    { text: 'hello', uuid: 36, dir: harness.home.home, session: 'payments', model: 'offline' },
  ]);
});

test('the name of a session that was named by its directory is asked of a daemon that does not say it', async () => {
  const { name: _name, ...older } = sampleAnswer();
  bridge.routes['GET /sessions/ses_1'] = () => ({ body: sampleSession({ name: 'payments' }) });
  bridge.routes['POST /messages'] = () => ({ status: 201, body: older });
  const { code, out } = await harness.run(['send', 'hello', '--json']);
  expect([code, JSON.parse(out)]).toEqual([0, { ...older, name: 'payments' }]);
});

test('--timeout without --wait is a mistake: nothing is sent', async () => {
  const { code, err } = await harness.run(['send', 'hello', '--timeout', '5']);
  expect([code, err, sent()]).toEqual([
    2,
    '--timeout only limits a wait. Add --wait, or leave --timeout out.\n',
    [],
  ]);
});

test('send reads standard input for "-" and keeps the UUID it was given', async () => {
  bridge.routes['POST /messages'] = () => ({ status: 201, body: sampleAnswer({ duplicate: true }) });
  const { out } = await harness.run(['send', '-', '--uuid', 'uuid-0001'], { stdin: '第一行\nline two\n' });
  expect([out, sent()]).toEqual([
    'Stored before in session ses_1.\n',
    [['POST /messages', { text: '第一行\nline two', uuid: 'uuid-0001', dir: harness.home.home }]],
  ]);
});

test('a directory or a model that is not that of a session which exists is refused, with the one it has', async () => {
  const session = sampleSession({ dir: realpathSync(harness.home.home), model: 'offline' });
  bridge.routes['GET /sessions/payments'] = () => ({ body: session });
  bridge.routes['POST /messages'] = () => ({ status: 201, body: sampleAnswer({ name: 'payments' }) });
  const line = ['send', 'hello', '--session', 'payments'];
  const other = await harness.run([...line, '--dir', '/']);
  const model = await harness.run([...line, '--model', 'anthropic/x']);
  const refused = sent();
  const same = await harness.run([...line, '--dir', '.', '--model', 'offline']);
  expect({ other, model, refused, same: same.code }).toEqual({
    other: {
      code: 2,
      out: '',
      err: `Session payments works in "${session.dir}", not in "/". Leave --dir out, or name another session.\n`,
    },
    model: {
      code: 2,
      out: '',
      err: 'Session payments uses the model offline, not anthropic/x. Leave --model out, or name another session.\n',
    },
    refused: [],
    same: 0,
  });
});

test('a mode that changes that of a session which exists is told; a session that is new takes everything', async () => {
  bridge.routes['GET /sessions/payments'] = () => ({ body: sampleSession() });
  bridge.routes['GET /sessions/fresh'] = () => ({
    status: 404,
    body: { error: { code: 'not_found', message: 'There is no such session.', next: 'List them.' } },
  });
  bridge.routes['POST /messages'] = () => ({ status: 201, body: sampleAnswer({ name: 'payments' }) });
  const changed = await harness.run(['send', 'x', '--session', 'payments', '--mode', 'bypassPermissions']);
  const kept = await harness.run(['send', 'x', '--session', 'payments', '--mode', 'default']);
  const fresh = await harness.run(['send', 'x', '--session', 'fresh', '--dir', '/', '--mode', 'default']);
  expect([changed.err, kept.err, fresh.code, fresh.err]).toEqual([
    expect.stringMatching(
      /^payments now runs in mode bypassPermissions \(before: default\)\. From now on .* The way back: kairos mode payments default\n$/,
    ),
    '',
    0,
    '',
  ]);
});

test.each<[string, string[], string | undefined, string]>([
  ['empty text', ['send', ' '], undefined, 'The message is empty.'],
  ['empty input', ['send', '-'], '\n', 'The message is empty.'],
  [
    '300 KB of text',
    ['send', 'x'.repeat(300 * 1024)],
    undefined,
    `The message is longer than the limit of ${limits.messageBytes / 1024} KB.`,
  ],
  [
    '300 KB of input',
    ['send', '-'],
    'x'.repeat(300 * 1024),
    `The message is longer than the limit of ${limits.messageBytes / 1024} KB.`,
  ],
  ['a missing directory', ['send', 'x', '--dir', 'nowhere'], undefined, 'nowhere" does not exist.'],
  [
    'a file as directory',
    ['send', 'x', '--dir', 'daemon.json'],
    undefined,
    'daemon.json" is not a directory.',
  ],
])('%s is refused before anything is sent', async (_title, line, stdin, sentence) => {
  const { code, out, err } = await harness.run(line, stdin === undefined ? {} : { stdin });
  expect([code, out, err.includes(sentence), err.length < 400, sent()]).toEqual([2, '', true, true, []]);
});
