import { afterEach, beforeEach, expect, test } from 'vitest';
import { permissionModeSchema } from '../../shared/domain/sessions.ts';
import { createHarness, type Harness } from './support/cli-harness.ts';
import { type FakeBridge, startFakeBridge } from './support/fake-bridge.ts';
import { samplePrompt, sampleSession, sampleStatus } from './support/samples.ts';

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

test('mode alone tells the mode and what it means, and changes nothing', async () => {
  bridge.routes['GET /sessions/shop'] = () => ({ body: sampleSession({ mode: 'acceptEdits' }) });
  const told = await harness.run(['mode', 'shop']);
  const { out } = await harness.run(['mode', 'shop', '--json']);
  expect([told, (JSON.parse(out) as { mode: string }).mode, bridge.seen.map(({ route }) => route)]).toEqual([
    {
      code: 0,
      out: 'shop runs in mode acceptEdits: it changes files of its directory unasked; commands and the network ask as usual. Change it with: kairos mode shop MODE\n',
      err: '',
    },
    'acceptEdits',
    ['GET /sessions/shop', 'GET /sessions/shop'],
  ]);
});

test('sessions name the mode of each that has another than the usual one, and mark who asks for hardly anything', async () => {
  const sessions = [
    sampleSession({ name: 'a' }),
    sampleSession({ name: 'b', mode: 'bypassPermissions' }),
    sampleSession({ name: 'c', mode: 'plan' }),
  ];
  const listing = async (count: number): Promise<string[]> => {
    bridge.routes['GET /sessions'] = () => ({ body: sessions.slice(0, count) });
    const { out } = await harness.run(['sessions']);
    return out
      .split('\n')
      .map((line) =>
        line.replace(/ {2,}\d+ \w+ ago|  now|  \d{4}-\d\d-\d\d|  in \d+ \w+/, '').replace(/ +/g, ' '),
      );
  };
  bridge.routes['GET /status'] = () => ({ body: sampleStatus() });
  expect([await listing(3), (await listing(1))[0]]).toEqual([
    [
      'Session State Mode Activity Directory',
      'a Asleep /shop',
      'b Asleep ! bypassPermissions /shop',
      'c Asleep plan /shop',
      '',
    ],
    'Session State Activity Directory',
  ]);
});

test('approvals tell the mode of the session that asks', async () => {
  bridge.routes['GET /prompts'] = () => ({
    body: [samplePrompt(), samplePrompt({ session: 'ses_2', sessionName: null })],
  });
  bridge.routes['GET /sessions'] = () => ({ body: [sampleSession({ mode: 'acceptEdits' })] });
  const { out } = await harness.run(['approvals']);
  const json = JSON.parse((await harness.run(['approvals', '--json'])).out) as { mode: unknown }[];
  const where = out.split('\n').filter((line) => line.includes('expires'));
  expect([
    where.map((line) => line.replace(/, (?:asked|expires) .*/, '')),
    json.map(({ mode }) => mode),
  ]).toEqual([
    ['  payments in /shop, mode acceptEdits', '  ses_2 in /shop'],
    ['acceptEdits', null],
  ]);
});

test('a session that is made in another mode than the usual one says what it does unasked', async () => {
  bridge.routes['POST /sessions'] = () => ({ status: 201, body: sampleSession({ mode: 'dontAsk' }) });
  const { out } = await harness.run(['sessions', 'new', '--mode', 'dontAsk']);
  expect(out.split('\n').slice(1)).toEqual(['Mode dontAsk. It asks nobody: what would ask is denied.', '']);
});

test('the help of mode explains all five', async () => {
  const { out } = await harness.run(['mode', '--help']);
  const told = permissionModeSchema.options.filter((mode) => new RegExp(`^ *${mode} +\\w+ `, 'm').test(out));
  expect(told).toEqual(permissionModeSchema.options);
});
