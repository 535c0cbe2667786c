import type { RuleView } from '../../shared/protocol/permissions.ts';
import { expect, test } from 'vitest';
import type { AnyEvent } from '../../shared/domain/events.ts';
import type { DaemonStatus, EventPage, MessageAnswer, SessionView } from '../../shared/protocol/bridge.ts';
import { startBridge } from './support/bridge-under-test.ts';
import { answerTurn, askPerson, makeSession, receive } from './support/history.ts';

test('History pages lead backwards to the first event and forwards to the last, without a hole or a repeat.', async () => {
  const { ask, store } = await startBridge();
  const { id } = await makeSession(store, 'long');
  await Promise.all(Array.from({ length: 450 }, (_, count) => receive(store, id, `message-${count}`)));
  const walk = async (query: (last: number | undefined) => string): Promise<[number[], number]> => {
    const seqs: number[] = [];
    for (let pages = 1; ; pages += 1) {
      const { json } = await ask({ path: `/api/v1/sessions/long/events?${query(seqs.at(-1))}` });
      const { events, more } = json as EventPage;
      seqs.push(...events.map(({ seq }) => seq));
      if (!more) return [seqs, pages];
    }
  };
  const all = Array.from({ length: 451 }, (_, index) => index + 1);
  const back = await walk((last) => (last === undefined ? '' : `before=${last}`));
  const forth = await walk((last) => `after=${last ?? 0}&limit=1000`);
  expect([back, forth]).toEqual([
    [all.toReversed(), 5],
    [all, 1],
  ]);
});

test('A page of large events ends early and says that there is more.', async () => {
  const { ask, store } = await startBridge();
  const { id } = await makeSession(store);
  for (let count = 0; count < 20; count += 1)
    await receive(store, id, `message-${count}`, 'x'.repeat(200_000));
  const page = (await ask({ path: `/api/v1/sessions/${id}/events` })).json as EventPage;
  const next = (await ask({ path: `/api/v1/sessions/${id}/events?before=${page.events.at(-1)?.seq}` }))
    .json as EventPage;
  expect([page.events.length, page.more, next.events[0]?.seq, next.more]).toEqual([10, true, 11, false]);
});

test.each(['before=0', 'before=-1', 'before=x', 'after=1.5', 'limit=0', 'limit=1001', 'limit=1e2'])(
  'A page of %s is refused.',
  async (query) => {
    const { ask, store } = await startBridge();
    const { id } = await makeSession(store);
    expect((await ask({ path: `/api/v1/sessions/${id}/events?${query}` })).status).toBe(400);
  },
);

test('The export streams every event as a line.', async () => {
  const { ask, store } = await startBridge();
  const { id } = await makeSession(store, 'shop');
  await receive(store, id, 'message-1');
  const { text, headers } = await ask({ path: '/api/v1/sessions/shop/export' });
  const lines = text.trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as AnyEvent);
  expect([events, headers['content-type']]).toEqual([
    await store.events(id, { after: 0, limit: 10 }),
    'application/x-ndjson; charset=utf-8',
  ]);
});

test('Sessions are made, renamed, paused, resumed, archived, listed and interrupted.', async () => {
  const { ask, store } = await startBridge();
  const act = async (path: string, body?: unknown) =>
    (await ask({ method: 'POST', path: `/api/v1/sessions${path}`, body })).json as SessionView;
  const made = await act('', { name: 'shop', mode: 'bypassPermissions' });
  const taken = await ask({ method: 'POST', path: '/api/v1/sessions', body: { name: 'shop' } });
  const renamed = await act('/shop/rename', { name: 'store' });
  const paused = await act('/store/pause');
  const resumed = await act('/store/resume');
  const mode = await act('/store/mode', { mode: 'default' });
  const idle = await act('/store/interrupt');
  await askPerson(store, made.id);
  const running = await act('/store/interrupt');
  const archived = await act('/store/archive');
  const lists = [];
  for (const query of ['', '?archived=true']) {
    lists.push(((await ask({ path: `/api/v1/sessions${query}` })).json as SessionView[]).map(({ id }) => id));
  }
  expect([
    made.name,
    made.mode,
    taken.status,
    renamed.name,
    paused.paused,
    resumed.paused,
    mode.mode,
  ]).toEqual(['shop', 'bypassPermissions', 409, 'store', true, false, 'default']);
  expect([idle, running, archived.id, lists]).toEqual([
    { interrupted: false },
    { interrupted: true },
    made.id,
    [[], [made.id]],
  ]);
});

test('A message is sent, told about, and not stored twice under its uuid.', async () => {
  const { ask, store } = await startBridge();
  const body = { text: 'hi', uuid: 'uuid-0001', session: 'shop' };
  const first = (await ask({ method: 'POST', path: '/api/v1/messages', body })).json as MessageAnswer;
  const again = (await ask({ method: 'POST', path: '/api/v1/messages', body })).json as MessageAnswer;
  await answerTurn(store, first.session, 'hello');
  const later = (await ask({ path: '/api/v1/messages/uuid-0001' })).json as MessageAnswer;
  const unknown = await ask({ path: '/api/v1/messages/uuid-0002' });
  const { created: _once, ...told } = first;
  expect([first, again, later, unknown.status]).toEqual([
    {
      session: first.session,
      name: 'shop',
      message: 'uuid-0001',
      state: 'working',
      settledBy: null,
      replies: [],
      duplicate: false,
      created: true,
    },
    { ...told, duplicate: true },
    { ...told, state: 'settled', settledBy: 'reply', replies: [{ text: 'hello', status: 'normal' }] },
    404,
  ]);
});

test('Rules of single sessions are listed with the name of the session, readable, and revoked like others.', async () => {
  const { ask, store } = await startBridge();
  const { id } = await makeSession(store, 'shop');
  const kept = { effect: 'allow', tool: 'Bash', by: null } as const;
  const only = await store.addRule({ ...kept, subject: 'ls \u202Ex\u200B', session: id });
  const every = await store.addRule({ ...kept, subject: 'ls', session: null });
  const list = async (query = '') => (await ask({ path: `/api/v1/rules${query}` })).json as RuleView[];
  const both = await list();
  const { status } = await ask({ method: 'DELETE', path: `/api/v1/rules/${only.id}` });
  expect([
    both.map(({ id: rule, rule: text, session, sessionName }) => [rule, text, session, sessionName]),
    status,
    (await list()).map((rule) => rule.id),
    (await list('?session=shop')).map((rule) => rule.id),
  ]).toEqual([
    [
      [only.id, 'Bash(ls <U+202E>x<U+200B>)', id, 'shop'],
      [every.id, 'Bash(ls)', null, null],
    ],
    200,
    [every.id],
    [every.id],
  ]);
});

test('A rule that holds a secret is listed without it.', async () => {
  const { ask, store } = await startBridge();
  const subject = 'AWS_SECRET_ACCESS_KEY=canary7f3a9c-value run';
  await store.addRule({ effect: 'allow', tool: 'Bash', by: null, subject, session: null });
  const listed = (await ask({ path: '/api/v1/rules' })).json as RuleView[];
  expect(listed.map(({ rule }) => rule)).toEqual(['Bash(AWS_SECRET_ACCESS_KEY=[masked] run)']);
});

test('Rules are added with their notices, listed and revoked.', async () => {
  const { ask } = await startBridge();
  const add = async (effect: string, rule: string) =>
    (await ask({ method: 'POST', path: '/api/v1/rules', body: { effect, rule } })).json as {
      rule: RuleView;
      notice: string | null;
    };
  const exact = await add('allow', 'Bash(npm test)');
  const safe = await add('deny', 'Bash()');
  const listed = (await ask({ path: '/api/v1/rules' })).json as RuleView[];
  const revoke = () => ask({ method: 'DELETE', path: `/api/v1/rules/${exact.rule.id}` });
  const revoked = [(await revoke()).status, (await revoke()).status];
  const left = (await ask({ path: '/api/v1/rules' })).json as RuleView[];
  expect([exact.notice, exact.rule.rule, safe.rule.effect, safe.notice?.includes('asks instead')]).toEqual([
    null,
    'Bash(npm test)',
    'ask',
    true,
  ]);
  expect([listed.length, revoked, left.map(({ id }) => id)]).toEqual([2, [200, 404], [safe.rule.id]]);
});

test('Prompts are listed open and closed, whole, by code and id.', async () => {
  const { ask, store } = await startBridge();
  const { id } = await makeSession(store, 'shop');
  const code = await askPerson(store, id, `echo ${'x'.repeat(20_000)}`);
  const path = `/api/v1/prompts/${code}`;
  const one = (await ask({ path })).json as { id: string; preview: string };
  const list = async (query: string) =>
    ((await ask({ path: `/api/v1/prompts${query}` })).json as unknown[]).length;
  const before = [await list(''), await list('?state=closed'), await list('?session=shop')];
  await ask({
    method: 'POST',
    path: `${path}/verdict`,
    body: { verdict: { behavior: 'deny', reason: 'no' } },
  });
  const after = [await list(''), await list('?state=closed')];
  const wrong = [
    (await ask({ path: '/api/v1/prompts?state=half' })).status,
    (await ask({ path: '/api/v1/prompts/zzzzz' })).status,
  ];
  const byId = await ask({ path: `/api/v1/prompts/${one.id}` });
  expect([one.preview.length, before, after, wrong, byId.status]).toEqual([
    20_005,
    [1, 0, 1],
    [0, 1],
    [400, 404],
    200,
  ]);
});

test('Status, pause, search, doctor and stop answer.', async () => {
  const { ask, store, calls, port } = await startBridge();
  await makeSession(store);
  await ask({ method: 'POST', path: '/api/v1/pause' });
  const { startedAt: _startedAt, ...status } = (await ask({ path: '/api/v1/status' })).json as DaemonStatus;
  const searched = (await ask({ path: '/api/v1/search?q=pay' })).json;
  const empty = (await ask({ path: '/api/v1/search?q=%20' })).status;
  const doctor = (await ask({ path: '/api/v1/doctor' })).json;
  const stop = (await ask({ method: 'POST', path: '/api/v1/daemon/stop' })).json;
  expect([status, searched, empty, doctor, stop, calls]).toEqual([
    {
      bridge: 1,
      version: '1.2.3',
      pid: process.pid,
      supervisorPid: process.ppid,
      safe: null,
      url: `http://127.0.0.1:${port}`,
      home: '/home/ada/.kairos',
      paused: true,
      sessions: 1,
      openPrompts: 0,
      viewers: 0,
      problems: [],
    },
    [{ session: 'ses_1', seq: 1, at: 1, text: 'pay 50' }],
    400,
    { version: '1.2.3', checks: [] },
    { stopping: true },
    [{ stop: 'asked over the bridge' }],
  ]);
});

test('1,000 requests at once are all answered.', async () => {
  const { ask } = await startBridge();
  const answers = await Promise.all(Array.from({ length: 1_000 }, () => ask({ path: '/api/v1/status' })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
}, 20_000);
