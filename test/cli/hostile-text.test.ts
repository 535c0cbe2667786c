import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandTable } from '../../electron/cli/command-table.ts';
import { type Harness, type Ran, createHarness } from './support/cli-harness.ts';
import { type FakeBridge, startFakeBridge } from './support/fake-bridge.ts';
import {
  sampleAnswer,
  samplePrompt,
  sampleSession,
  sampleStatus,
  sampleTime,
  sampleStanding,
} from './support/samples.ts';

/** Clears the screen, sets a title, hides, turns direction around, uses our own colour, and begins a line that looks like ours. */
const evil = 'x\u001b[2J\u001b]0;t\u0007\u001b[31m\u009b1m\u202e\u200b\r\b\nFORGED';

let harness: Harness;
let bridge: FakeBridge;

beforeEach(async () => {
  harness = createHarness();
  bridge = await startFakeBridge();
  await harness.announce(bridge, { safe: evil, version: `0.0.1-${evil}` });
  await harness.announceSupervisor({ lastFailure: { at: 1, code: evil, reason: evil } });
  script(bridge);
  scriptActs(bridge);
  scriptPermissions(bridge);
  scriptModels(bridge);
});
afterEach(async () => {
  await bridge.close();
  harness.dispose();
});

function evilPrompt(): ReturnType<typeof samplePrompt> {
  return samplePrompt({
    code: evil,
    session: evil,
    sessionName: evil,
    headline: evil,
    description: evil,
    preview: evil,
    rule: evil,
    dir: evil,
    options: [{ label: evil, description: evil }],
  });
}

function script({ routes }: FakeBridge): void {
  const session = sampleSession({ id: evil, name: evil, dir: `/${evil}`, doing: evil, model: evil });
  const parked = { code: evil, reason: evil, at: 1 };
  const times = { createdAt: 1, lastSeen: null, revokedAt: null };
  const device = { id: evil, name: evil, scopes: ['read'], ...times, madeBy: evil, window: true };
  const by = { surface: evil, principal: evil, at: sampleTime };
  const prompt = evilPrompt();
  const closed = { ...prompt, state: 'decided', by, verdict: { behavior: 'deny' } };
  const answer = sampleAnswer({
    session: 's',
    name: evil,
    replies: [{ text: evil, status: 'normal' }],
  } as never);
  const problems = [{ code: evil, message: evil, next: evil, since: 1 }];
  const check = { name: evil, state: 'fail', detail: evil, next: evil };
  const body = (value: unknown) => () => ({ body: value });
  Object.assign(routes, {
    'GET /sessions': body([
      { ...session, state: 'working' },
      { ...session, state: 'parked', parked },
      session,
    ]),
    'POST /sessions': body(session),
    'GET /sessions/s': body({ ...session, state: 'parked', parked }),
    'POST /messages': body({ ...answer, state: 'parked' }),
    'GET /prompts': ({ query }: { query: URLSearchParams }) => ({
      body: [query.get('state') === 'open' ? prompt : closed],
    }),
    'GET /devices': body([device]),
    'POST /devices': body({ device, token: evil }),
    'GET /search': body([{ session: evil, seq: 1, at: 1, text: evil }]),
    'GET /status': body(sampleStatus({ version: evil, url: evil, safe: evil, problems } as never)),
    'GET /doctor': body({ version: evil, checks: [check, { ...check, state: 'ok' }] }),
    'POST /backup': body({ to: evil, bytes: 1, blobs: 1, missing: [evil] }),
    'POST /prompts/a/verdict': body({ outcome: 'accepted', by: evil, message: evil }),
    'POST /prompts/b/verdict': body({ outcome: 'already_answered', by: evil, message: evil }),
    'POST /token/rotate': body({}),
    'POST /pause': body({}),
    'POST /resume': body({}),
  });
}

function scriptPermissions({ routes }: FakeBridge): void {
  const body = (value: unknown) => () => ({ body: value });
  const rule = {
    id: evil,
    effect: 'allow',
    rule: evil,
    session: evil,
    sessionName: evil,
    createdAt: sampleTime,
  };
  Object.assign(routes, {
    'GET /rules': body([rule]),
    'GET /rules/standing': body({
      ...sampleStanding([{ ...rule, source: 'project', file: evil }]),
      notices: [evil],
      untrusted: [evil],
    }),
    'POST /rules/explain': body({
      kind: 'decided',
      behavior: 'ask',
      by: evil,
      rule: { ...rule, source: 'session', file: null, session: evil, sessionName: evil },
      reason: evil,
      mode: 'default',
      dir: evil,
      session: evil,
      access: 'read',
      subject: evil,
      paths: [evil],
      sandboxed: true,
      untrusted: [evil],
    }),
    'GET /trust': body([
      { dir: evil, digest: 'abcdef0123456789', state: 'open', preview: evil, at: null, by: null },
    ]),
    'GET /trusts': body([{ dir: evil, digest: evil, trusted: true, at: 1, by: null }]),
    'POST /trust': body({}),
    'POST /trust/revoke': body({}),
    'POST /rules': body({ rule, notice: evil }),
  });
}

function scriptModels({ routes }: FakeBridge): void {
  const body = (value: unknown) => () => ({ body: value });
  const price = { input: 1, output: 2, cacheRead: 1, cacheWrite: 1 };
  const model = {
    ref: evil,
    provider: evil,
    contextTokens: 1,
    images: false,
    price,
    isDefault: true,
    failover: 1,
  };
  const provider = { name: evil, wire: 'openai', address: evil, key: evil, state: 'ready', detail: evil };
  const tokens = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 1, cacheWriteTokens: 1 };
  const sum = {
    key: evil,
    name: evil,
    requests: 1,
    ...tokens,
    microUsd: 1,
    reservedTokens: 1,
    reservedMicroUsd: 1,
    unpriced: 1,
  };
  Object.assign(routes, {
    'GET /models': body({
      default: { ref: evil, from: evil, problem: evil },
      providers: [provider, { ...provider, state: 'no_list' }],
      models: [model],
    }),
    'POST /models/test': ({ body: asked }: { body: { model: string } }) => ({
      body:
        asked.model === 'deaf'
          ? { ref: evil, ok: false, code: evil, message: evil, next: evil }
          : { ref: evil, ok: true, ms: 1, text: evil },
    }),
    'POST /models/default': body({ ref: evil, note: evil }),
    [`POST /sessions/${encodeURIComponent(evil)}/model`]: body(
      sampleSession({ id: evil, name: evil, dir: evil, model: evil }),
    ),
    'GET /usage': body({
      by: 'model',
      sinceDay: evil,
      today: '2026-11-30',
      session: evil,
      groups: [sum, { ...sum, name: null }],
      limits: { dayMicroUsd: 1, sessionDayTokens: 1, sessionMicroUsd: 1, totalMicroUsd: 1 },
      spent: { dayMicroUsd: 1, totalMicroUsd: 1 },
    }),
    'POST /usage/raise': body({ most: 1, unparked: [evil] }),
  });
}

function scriptActs({ routes }: FakeBridge): void {
  const session = sampleSession({ id: evil, name: evil, dir: evil });
  const answer = (value: unknown) => () => ({ body: value });
  for (const act of ['rename', 'mode', 'retry', 'archive', 'pause', 'resume', 'interrupt'])
    routes[`POST /sessions/${encodeURIComponent(evil)}/${act}`] = answer(
      act === 'interrupt' ? { interrupted: true } : session,
    );
  routes['POST /sessions/unwilling/retry'] = () => ({
    status: 409,
    body: { error: { code: evil, message: evil, next: evil } },
  });
}

function writeLogs(): void {
  mkdirSync(harness.home.logsDir);
  const line = JSON.stringify({ level: 30, time: 1, msg: evil, principal: evil, [evil]: [evil] });
  writeFileSync(join(harness.home.logsDir, 'daemon.log'), `${line}\n${evil}\n`);
}

const lines: readonly (readonly string[])[] = [
  ['send', 'hi', '--session', evil],
  ['send', 'hi', '--wait'],
  ['send', 'hi', '--dir', `/no/${evil}`],
  ['sessions', '--all'],
  ['sessions', 'new', '--name', evil],
  ['sessions', 'new', '--dir', `/no/${evil}`],
  ['sessions', 'archive', evil],
  ['approvals', '--all'],
  ['approve', 'a'],
  ['approve', 'b'],
  ['deny', 'a', '--reason', evil],
  ['answer', 'a', evil],
  ['export', evil],
  ['interrupt', evil],
  ['rename', evil, evil],
  ['mode', evil],
  ['mode', evil, 'default'],
  ['pause', evil],
  ['pause'],
  ['resume', evil],
  ['retry', evil],
  ['retry', 'unwilling'],
  ['rules'],
  ['rules', 'list'],
  ['rules', 'explain', 'Bash', evil],
  ['rules', 'explain', evil, evil, '--session', evil],
  ['trust'],
  ['trust', '--accept', 'abcdef01'],
  ['trust', '--list'],
  ['trust', evil, '--revoke'],
  ['rules', 'add', 'allow', evil],
  ['rules', 'revoke', evil],
  ['rules', 'remove', evil],
  ['models'],
  ['models', 'list'],
  ['models', 'test', evil],
  ['models', 'test', 'deaf'],
  ['models', 'set', evil],
  ['models', 'set', 'x', '--session', evil],
  ['usage'],
  ['usage', '--session', evil],
  ['usage', 'raise', evil],
  ['usage', 'raise', '5', '--session', evil],
  ['devices'],
  ['devices', 'list'],
  ['devices', 'add', evil],
  ['devices', 'add', 'x', '--scopes', evil],
  ['devices', 'revoke', evil],
  ['token', 'rotate'],
  ['search', evil],
  ['open', '--no-open'],
  ['start', '--no-open'],
  ['daemon', 'start'],
  ['daemon', 'run'],
  ['daemon', 'run', '--tied-to', evil],
  ['daemon', 'status'],
  ['logs'],
  ['daemon', 'logs'],
  ['doctor'],
  ['assistant', evil],
  ['backup', `/${evil}`],
  ['restore', `/${evil}`],
  ['help', evil],
  [evil],
  ['sessions', evil],
  ['mode', 'a', evil],
  ['sessions', `--${evil}`],
];

/** What only ends processes prints fixed sentences; here it would end this test. */
const notRun = ['daemon stop', 'daemon restart'];

/** What steers a terminal or hides: everything below U+0020 but line ends, C1, direction and zero-width characters. */
// oxlint-disable-next-line no-control-regex
const steering = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/;
// oxlint-disable-next-line no-control-regex
const colours = /\u001b\[(?:1|2|22|31|32|33|39)m/g;

test('every command is walked', () => {
  const walked = new Set([...lines.map((line) => line.slice(0, 2).join(' ')), ...notRun]);
  const missing = commandTable.filter(
    ({ path }) => ![...walked].some((line) => line === path || line.startsWith(`${path} `)),
  );
  expect(missing.map(({ path }) => path)).toEqual([]);
});

test('no command lets foreign names, paths, texts and logs steer a terminal or begin a line of their own', async () => {
  writeLogs();
  const bad: unknown[] = [];
  const look = (line: readonly string[], { out, err }: Ran): void => {
    for (const text of [out, err]) if (steering.test(text)) bad.push(['steers', line, text]);
    if (line[0] !== 'send' && /^FORGED/m.test(out + err)) bad.push(['forges', line, out + err]);
    if (/Something went wrong|does not understand/.test(err)) bad.push(['fails', line, err]);
  };
  for (const line of lines) {
    // A file gets the replies of the agent byte by byte.
    const plain = await harness.run(line);
    if (line[0] !== 'send') look(line, plain);
    else look(line, { ...plain, out: '' });
    const { code, out, err } = await harness.run(line, { terminal: true, columns: 200 });
    look(line, { code, out: out.replace(colours, ''), err: err.replace(colours, '') });
  }
  expect(bad).toEqual([]);
});
