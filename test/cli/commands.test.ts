import { systemClock } from '../../electron/node/clock.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { type Harness, createHarness } from './support/cli-harness.ts';
import { contract } from './support/contract.ts';
import { textWidth } from '../../electron/cli/output/text-width.ts';
import { type FakeBridge, startFakeBridge } from './support/fake-bridge.ts';
import { samplePrompt, sampleSession, sampleStatus, sampleTime, sampleStanding } from './support/samples.ts';

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

test('sessions --json is the list of the contract, one line', async () => {
  bridge.routes['GET /sessions'] = () => ({
    body: [sampleSession({ pid: 7, state: 'working', doing: 'Bash' })],
  });
  const { code, out, err } = await harness.run(['sessions', '--json']);
  const [session] = shape(contract.sessions, out);
  expect([code, err, out.endsWith(']\n'), session?.createdAt, session?.pid]).toEqual([
    0,
    '',
    true,
    '2026-11-30T08:00:00.000Z',
    7,
  ]);
});

test('internal and archived sessions are listed only with --all', async () => {
  const queries: string[] = [];
  bridge.routes['GET /sessions'] = ({ query }) => {
    queries.push(query.toString());
    if (query.has('archived')) return { body: [sampleSession({ id: 'ses_3', name: 'gone' })] };
    return { body: [sampleSession(), sampleSession({ id: 'ses_2', name: 'dream', kind: 'daemon-worker' })] };
  };
  const names = (text: string): unknown =>
    shape(contract.sessions, text).map(({ name, archived }) => [name, archived]);
  const few = await harness.run(['sessions', '--json']);
  const all = await harness.run(['sessions', '--all', '--json']);
  expect([names(few.out), names(all.out), queries.toSorted()]).toEqual([
    [['payments', false]],
    [
      ['payments', false],
      ['dream', false],
      ['gone', true],
    ],
    ['', '', 'archived=true'],
  ]);
});

test('a pause of everything stands above the sessions and in the status; safe mode is told once', async () => {
  bridge.routes['GET /sessions'] = () => ({ body: [] });
  bridge.routes['GET /status'] = () => ({
    body: sampleStatus({
      paused: true,
      openPrompts: 2,
      safe: 'Why.',
      problems: [{ code: 'safe_mode', message: 'Safe mode: Why.', next: 'Mend it.', since: 0 }],
    }),
  });
  const sessions = await harness.run(['sessions']);
  const status = await harness.run(['daemon', 'status']);
  expect([sessions.out.split('\n')[0], status.out.split('\n')]).toEqual([
    'Everything is paused. End it with: kairos resume',
    [
      'Kairos 0.1.0 is running: process 1, supervisor 2, http://127.0.0.1:1',
      'Safe mode, no sessions run: Why. Mend the cause (see: kairos doctor, kairos logs), then: kairos daemon restart',
      'Everything is paused. End it with: kairos resume',
      '2 wait for your decision: kairos approvals',
      '',
    ],
  ]);
});

test('the last failure names its cure as it is typed here', async () => {
  await harness.announceSupervisor({
    lastFailure: { at: 1, code: 'corrupt', reason: 'A part is damaged. Stop Kairos (kairos daemon stop).' },
  });
  bridge.routes['GET /status'] = () => ({ body: sampleStatus() });
  const { out } = await harness.run(['daemon', 'status'], { program: 'npx kairos' });
  expect(out).toMatch(/^Last failure, .*: A part is damaged\. Stop Kairos \(npx kairos daemon stop\)\.$/m);
});

test('approvals --json is the list of the contract; --all adds those that are closed', async () => {
  bridge.routes['GET /sessions'] = () => ({ body: [sampleSession()] });
  bridge.routes['GET /prompts'] = ({ query }) => ({
    body:
      query.get('state') === 'open'
        ? [samplePrompt({ risks: ['Uses the network: git push'] })]
        : [samplePrompt({ code: 'fghij', state: 'expired' })],
  });
  const open = await harness.run(['approvals', '--json']);
  const all = await harness.run(['approvals', '--json', '--all']);
  const shown = shape(contract.approvals, open.out);
  expect([
    shown.map(({ code, tool, preview }) => [code, tool, preview]),
    (JSON.parse(open.out) as { risks: unknown }[]).map(({ risks }) => risks),
    shape(contract.approvals, all.out).length,
  ]).toEqual([[['abcde', 'Bash', 'git push --force\norigin main']], [['Uses the network: git push']], 2]);
});

test('approvals begin with how many wait and since when', async () => {
  const now = systemClock.now();
  const ages = [7_200_000, 60_000].map((age, at) =>
    samplePrompt({ code: `abcd${at}`, createdAt: now - age }),
  );
  bridge.routes['GET /prompts'] = () => ({ body: ages });
  bridge.routes['GET /sessions'] = () => ({ body: [sampleSession()] });
  const { out } = await harness.run(['approvals']);
  const lines = out.split('\n').filter((line) => line.includes('asked'));
  expect(lines.map((line) => line.replace(/, expires.*/, ''))).toEqual([
    '2 wait for your decision, the oldest was asked 2 h ago.',
    '  payments in /shop, asked 2 h ago',
    '  payments in /shop, asked 1 min ago',
  ]);
});

test('approvals for people show every line that is decided on, on any terminal', async () => {
  const preview = Array.from({ length: 200 }, (_, index) => `line ${index} ${'x'.repeat(200)}`).join('\n');
  bridge.routes['GET /prompts'] = () => ({ body: [samplePrompt({ preview })] });
  bridge.routes['GET /sessions'] = () => ({ body: [sampleSession()] });
  const { out } = await harness.run(['approvals'], { terminal: true, columns: 40 });
  expect(preview.split('\n').filter((line) => !out.includes(`    ${line}\n`))).toEqual([]);
});

test('rules and devices show ids whole in a narrow terminal: that is what revokes them', async () => {
  const id = 'xxx_01JD0000000000000000000000';
  const rule = {
    id,
    effect: 'allow',
    rule: 'Bash(npm test:*)',
    session: null,
    sessionName: null,
    createdAt: sampleTime,
  };
  bridge.routes['GET /rules/standing'] = () => ({
    body: sampleStanding([{ ...rule, source: 'always', file: null }]),
  });
  bridge.routes['GET /rules'] = () => ({ body: [] });
  bridge.routes['GET /devices'] = () => ({
    body: [
      {
        id,
        name: 'a phone with a long name',
        scopes: ['read', 'send', 'approve'],
        createdAt: sampleTime,
        lastSeen: null,
        revokedAt: null,
        madeBy: null,
        window: false,
      },
    ],
  });
  const narrow = { terminal: true, columns: 40 };
  const texts = [await harness.run(['rules'], narrow), await harness.run(['devices'], narrow)];
  expect(
    texts.map(({ out }) => [out.split('\n').at(-2), Math.max(...out.split('\n').map(textWidth)) <= 40]),
  ).toEqual([
    [`  ${id}`, true],
    [`  ${id}`, true],
  ]);
});

test('nothing to list is a friendly sentence', async () => {
  bridge.routes['GET /prompts'] = () => ({ body: [] });
  bridge.routes['GET /sessions'] = () => ({ body: [] });
  bridge.routes['GET /status'] = () => ({ body: sampleStatus() });
  const [approvals, sessions] = [await harness.run(['approvals']), await harness.run(['sessions'])];
  expect([approvals.out, sessions.out]).toEqual([
    'Nothing needs you.\n',
    'No sessions yet. Give Kairos a job: kairos send "help"\n',
  ]);
});

test('acts on sessions call their routes, with names that need escaping too', async () => {
  const session = sampleSession();
  for (const act of ['rename', 'mode', 'pause', 'resume', 'retry', 'archive']) {
    bridge.routes[`POST /sessions/${encodeURIComponent('支付')}/${act}`] = () => ({ body: session });
  }
  const stopped = sampleSession({ parked: { code: 'auth', reason: 'The key was refused.', at: 0 } });
  bridge.routes[`GET /sessions/${encodeURIComponent('支付')}`] = () => ({ body: stopped });
  bridge.routes['POST /sessions/a/interrupt'] = () => ({ body: { interrupted: false } });
  bridge.routes['POST /pause'] = () => ({ body: { paused: true } });
  const lines = [
    ['rename', '支付', 'shop'],
    ['mode', '支付', 'bypassPermissions'],
    ['pause', '支付'],
    ['resume', '支付'],
    ['retry', '支付'],
    ['sessions', 'archive', '支付'],
    ['interrupt', 'a'],
    ['pause'],
  ];
  const said: string[] = [];
  for (const line of lines) said.push((await harness.run(line)).out);
  expect([said, sent().map((request) => decodeURIComponent(JSON.stringify(request)))]).toEqual([
    [
      '支付 is now called shop.\n',
      '支付 now runs in mode bypassPermissions. From now on commands, changes to files everywhere and the network run without a question; only a rule that asks or denies, a hook and what is protected still hold it back. The way back: kairos mode 支付 default\n',
      '支付: paused. Only your messages run.\n',
      '支付: runs again.\n',
      '支付 goes on.\n',
      '支付 is archived; its log stays.\n',
      'a was doing nothing.\n',
      'Everything is paused. Only your messages run.\n',
    ],
    [
      '["POST /sessions/支付/rename",{"name":"shop"}]',
      '["POST /sessions/支付/mode",{"mode":"bypassPermissions"}]',
      '["POST /sessions/支付/pause",null]',
      '["POST /sessions/支付/resume",null]',
      '["POST /sessions/支付/retry",null]',
      '["POST /sessions/支付/archive",null]',
      '["POST /sessions/a/interrupt",null]',
      '["POST /pause",null]',
    ],
  ]);
});

test('retry says of a session that was not stopped that it was not', async () => {
  bridge.routes['GET /sessions/shop'] = () => ({ body: sampleSession() });
  bridge.routes['POST /sessions/shop/retry'] = () => ({ body: sampleSession() });
  expect(await harness.run(['retry', 'shop'])).toEqual({ code: 0, out: 'shop was not stopped.\n', err: '' });
});

test('sessions new makes a session here and names the model of the environment', async () => {
  harness.env.KAIROS_MODEL = 'anthropic/x';
  bridge.routes['POST /sessions'] = () => ({ status: 201, body: sampleSession() });
  const { code, out } = await harness.run(['sessions', 'new', '--name', 'payments', '--kind', 'bg']);
  expect([code, out.startsWith('Made payments in /shop.'), ...sent()]).toEqual([
    0,
    true,
    ['POST /sessions', { name: 'payments', kind: 'bg', model: 'anthropic/x', dir: harness.home.home }],
  ]);
});

test('export passes the lines on as they are, and says when they broke off', async () => {
  const lines = Array.from({ length: 3 }, (_, index) =>
    JSON.stringify({ seq: index + 1, at: 1, type: 't', v: 1 }),
  );
  bridge.routes['GET /sessions/a/export'] = () => ({ raw: `${lines.join('\n')}\n` });
  const whole = await harness.run(['export', 'a']);
  const unknown = await harness.run(['export', 'b']);
  expect([whole, unknown.code, unknown.out]).toEqual([
    { code: 0, out: `${lines.join('\n')}\n`, err: '' },
    1,
    '',
  ]);
});

test.each([
  [400, 2],
  [401, 5],
  [403, 5],
  [404, 1],
  [409, 1],
  [413, 2],
  [429, 5],
  [500, 1],
])('a refusal with status %i ends with %i and repeats what the daemon says to do', async (status, code) => {
  bridge.routes['GET /rules/standing'] = () => ({
    status,
    body: { error: { code: 'x', message: 'It went wrong.', next: 'Do this.' } },
  });
  expect(await harness.run(['rules', '--json'])).toEqual({ code, out: '', err: 'It went wrong. Do this.\n' });
});

test('an answer that cannot be understood is a sentence, not a stack', async () => {
  bridge.routes['GET /rules/standing'] = () => ({ raw: '<html>' });
  bridge.routes['GET /devices'] = () => ({ body: { no: 'list' } });
  const [rules, devices] = [await harness.run(['rules']), await harness.run(['devices', '--json'])];
  const err =
    'The daemon gave an answer that this version of kairos does not understand. Restart it with: kairos daemon restart\n';
  expect([rules, devices]).toEqual([
    { code: 1, out: '', err },
    { code: 1, out: '', err },
  ]);
});

test('a token that was rotated a moment ago is read again', async () => {
  bridge.routes['GET /sessions'] = () => ({ body: [] });
  await harness.announce({ ...bridge, token: 'the-token-of-before' });
  // Like the daemon, which writes the new token before the old one is refused; the program waits only 100 ms for it.
  bridge.onWrongToken = () => harness.announce(bridge);
  const listing = await harness.run(['sessions', '--json']);
  expect([listing, bridge.seen.length]).toEqual([{ code: 0, out: '[]\n', err: '' }, 2]);
});

/** What each command line prints, with its exit code; times as WHEN. */
async function printed(lines: readonly string[]): Promise<string[]> {
  const outs: string[] = [];
  for (const line of lines) {
    const { code, out, err } = await harness.run(line.split(' '));
    outs.push(
      `${code} ${out}${err}`
        .replace(/\d{4}-\d\d-\d\d|\bnow\b|in \d+ (s|h|min)|\d+ (s|h|min) ago/g, 'WHEN')
        // How wide a time is depends on when the test runs.
        .replace(/WHEN {2,}/g, 'WHEN  '),
    );
  }
  return outs;
}

/** What lasts first, then windows, at last what was ended. */
const devicesTable = [
  'phone    read, send  never seen                   dev_1',
  'browser  read, send  window of phone, never seen  dev_2',
  'old      read, send  revoked WHEN  dev_0\n',
].join('\n');

test('devices, search and doctor print JSON and tables', async () => {
  const times = { createdAt: sampleTime, lastSeen: null, revokedAt: null };
  const device = {
    id: 'dev_1',
    name: 'phone',
    scopes: ['read', 'send'],
    ...times,
    madeBy: null,
    window: false,
  };
  const opened = { ...device, id: 'dev_2', name: 'browser', madeBy: 'dev_1', window: true };
  const ended = { ...device, id: 'dev_0', name: 'old', revokedAt: sampleTime };
  bridge.routes['GET /devices'] = () => ({ body: [ended, opened, device] });
  bridge.routes['POST /devices'] = () => ({ status: 201, body: { device, token: 'secret' } });
  bridge.routes['GET /search'] = ({ query }) => ({
    body: [{ session: 'ses_1', seq: 4, at: sampleTime, text: `${query.get('q')}\n${query.get('limit')}` }],
  });
  bridge.routes['GET /sessions'] = ({ query }) => ({
    body: query.get('archived') === 'true' ? [sampleSession({ name: 'shop' })] : [],
  });
  bridge.routes['GET /doctor'] = () => ({
    body: {
      version: '0.1.0',
      checks: [{ name: 'disk', state: 'warn', detail: 'small', next: 'Free some.' }],
    },
  });
  const outs = await printed(['devices', 'devices add phone --scopes read,send', 'search 你好', 'doctor']);
  const doctor = shape(contract.doctor, (await harness.run(['doctor', '--json'])).out);
  expect([outs, doctor.checks.length]).toEqual([
    [
      `0 ${devicesTable}`,
      '0 secret\nThe token of phone (dev_1) is shown only WHEN.\n',
      '0 shop #4, WHEN\n  你好 20\n',
      '0 Kairos 0.1.0\nlook disk: small\n     Free some.\nNothing failed; 1 thing to look at.\n',
    ],
    1,
  ]);
});

test('the address of the window carries its ticket in the fragment only', async () => {
  const { code, out } = await harness.run(['open', '--json']);
  const { address, ...more } = JSON.parse(out) as { address: string };
  const parsed = new URL(address);
  expect([
    code,
    more,
    parsed.origin,
    parsed.pathname,
    parsed.search,
    parsed.hash.startsWith('#ticket='),
  ]).toEqual([0, {}, bridge.url, '/', '', true]);
});

test('a daemon that is older is named, in words on stderr only', async () => {
  bridge.routes['GET /status'] = () => ({ body: sampleStatus({ version: '0.0.9' }) });
  const { code, out, err } = await harness.run(['daemon', 'status', '--json']);
  expect([code, shape(contract.status, out).supervisorPid, err]).toEqual([
    0,
    2,
    'This kairos is 0.1.0, the running daemon still is 0.0.9. Restart it with: kairos daemon restart\n',
  ]);
});
