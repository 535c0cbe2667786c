import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSerial } from '../../electron/daemon/viewers/topics/serial.ts';
import { createTopics } from '../../electron/daemon/viewers/topics/topics.ts';
import type { Viewer } from '../../electron/daemon/viewers/topics/viewer.ts';
import { systemClock } from '../../electron/node/clock.ts';
import { createSystemIds } from '../../electron/node/ids.ts';
import {
  homeViewSchema,
  limits,
  type EventPage,
  type HomeView,
  sessionSnapshotSchema,
} from '../../shared/protocol/bridge.ts';
import { openHome } from '../../shared/session/home-view.ts';
import { addPage, missingSeqs, olderThan, openSession } from '../../shared/session/session-view.ts';
import { type BridgeUnderTest, startBridge } from './support/bridge-under-test.ts';
import { followHome, followSession } from './support/follower.ts';
import { answerTurn, askPerson, beginStep, makeSession, receive, reply } from './support/history.ts';
import { openViewer } from './support/viewer-client.ts';

test('Two viewers see the same numbered tail.', async () => {
  const bridge = await startBridge();
  const { id } = await makeSession(bridge.store);
  const [one, other] = [followSession(bridge, id), followSession(bridge, id)];
  await one.connect();
  await one.until(() => true);
  await receive(bridge.store, id, 'm1');
  await other.connect();
  await other.until(() => true);
  await answerTurn(bridge.store, id, 'hello');
  const last = (await bridge.store.session(id))?.seq ?? 0;
  const views = [await one.until(({ seq }) => seq === last), await other.until(({ seq }) => seq === last)];
  expect(views[0]?.events).toEqual(views[1]?.events);
  expect(one.seqs.slice(-other.seqs.length)).toEqual(other.seqs);
});

type Act = 'message' | 'turn' | 'ask' | 'cut' | 'connect';
const act = fc.constantFrom<Act>('message', 'turn', 'message', 'ask', 'cut', 'connect');

test('A viewer that is cut off again and again ends with everything once, in order, for both topics.', async () => {
  const bridge = await startBridge();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(act, fc.boolean()), { minLength: 1, maxLength: 25 }), async (acts) => {
      const { id } = await makeSession(bridge.store);
      const [session, home] = [followSession(bridge, id), followHome(bridge)];
      let count = 0;
      // One worker runs a session: its steps follow each other, whatever else goes on.
      const inTurn = createSerial();
      const run: Record<Act, () => Promise<unknown>> = {
        message: () => receive(bridge.store, id, `m-${id}-${(count += 1)}`),
        turn: () => inTurn(() => answerTurn(bridge.store, id, `answer ${count}`)),
        ask: () =>
          inTurn(() => askPerson(bridge.store, id, `rm ${'x'.repeat((count += 1))}`).catch(() => undefined)),
        cut: async () => [session, home].forEach((follower) => follower.cut()),
        connect: () => Promise.all([session.connect(), home.connect()]),
      };
      const running: Promise<unknown>[] = [];
      for (const [name, wait] of acts) {
        const done = run[name]();
        running.push(done);
        if (wait || name === 'connect') await done;
      }
      await Promise.all(running);
      await Promise.all([session.connect(), home.connect()]);
      await compareSession(bridge, id, session);
      await compareHome(bridge, home);
      for (const follower of [session, home]) follower.cut();
    }),
    { numRuns: 40 },
  );
}, 60_000);

async function compareSession(
  bridge: BridgeUnderTest,
  id: string,
  follower: ReturnType<typeof followSession>,
) {
  const fresh = followSession(bridge, id);
  await fresh.connect();
  const wanted = await fresh.until(() => true);
  const view = await follower.until(
    ({ seq, session, prompts }) =>
      seq === wanted.seq &&
      isDeepStrictEqual(session, wanted.session) &&
      prompts.filter(({ state }) => state === 'open').length === wanted.session.openPrompts,
  );
  fresh.cut();
  expect(view.items).toEqual(wanted.items);
  expect(follower.seqs).toEqual([...new Set(follower.seqs)].sort((left, right) => left - right));
}

async function compareHome(bridge: BridgeUnderTest, follower: ReturnType<typeof followHome>) {
  const wanted = openHome((await bridge.ask({ path: '/api/v1/home' })).json as HomeView);
  expect(await follower.until((view) => isDeepStrictEqual(view, wanted))).toEqual(wanted);
}

test('A short absence is resumed, one of more than 1,000 events gets a snapshot.', async () => {
  const bridge = await startBridge();
  const { id } = await makeSession(bridge.store);
  const session = followSession(bridge, id);
  const absences = [];
  for (const missed of [999, 1_001]) {
    await session.connect();
    await session.until(({ seq }) => seq > 0);
    session.cut();
    await Promise.all(
      Array.from({ length: missed }, (_, count) => receive(bridge.store, id, `m-${missed}-${count}`)),
    );
    await session.connect();
    const last = (await bridge.store.session(id))?.seq;
    await session.until(({ seq }) => seq === last);
    absences.push(session.starts.at(-1));
    session.cut();
  }
  expect(absences).toEqual(['resumed', 'snapshot']);
});

test('Home resumes after changes nobody watched; a place of another daemon gets a snapshot.', async () => {
  const bridge = await startBridge();
  const home = followHome(bridge);
  await home.connect();
  await home.until(() => true);
  home.cut();
  await makeSession(bridge.store, 'while-away');
  await home.connect();
  const view = await home.until(({ sessions }) => sessions.length === 1);
  const stranger = await bridge.viewer();
  stranger.send({ type: 'subscribe', topic: 'home', from: { epoch: 'gone', seq: 3 } });
  await stranger.until('snapshot');
  expect([home.starts, view.sessions[0]?.name]).toEqual([['snapshot', 'resumed'], 'while-away']);
});

test('A day limit that was raised reaches home.', async () => {
  const bridge = await startBridge();
  const home = followHome(bridge);
  await home.connect();
  await home.until(({ usage }) => usage.limitMicroUsd === 5_000_000);
  await bridge.store.raiseBudget({ limit: 'day', session: null, by: 1_000_000, most: 5_000_000 });
  const { usage } = await home.until((view) => view.usage.limitMicroUsd !== 5_000_000);
  expect(usage).toEqual({ dayMicroUsd: 0, limitMicroUsd: 6_000_000 });
});

test('Archived sessions leave home, problems, pause and usage reach it.', async () => {
  const bridge = await startBridge();
  const { id } = await makeSession(bridge.store);
  const home = followHome(bridge);
  await home.connect();
  await home.until(({ sessions }) => sessions.length === 1);
  const problems = [{ code: 'port', message: 'taken', next: 'free it', since: 1 }];
  bridge.setProblems(problems);
  await bridge.store.setPausedAll(true);
  bridge.board.set(id, { pid: 77, leased: true, doing: 'Bash' });
  await home.until((view) => view.paused && view.problems.length === 1 && view.sessions[0]?.doing === 'Bash');
  await bridge.store.archive(id);
  const view = await home.until(({ sessions }) => sessions.length === 0);
  expect([view.paused, view.problems, view.usage]).toEqual([
    true,
    problems,
    { dayMicroUsd: 0, limitMicroUsd: 5_000_000 },
  ]);
});

test('While nobody looks a commit reads nothing; a watched session does not make the lists of others.', async () => {
  const bridge = await startBridge();
  const [one, other] = [await makeSession(bridge.store), await makeSession(bridge.store)];
  const summaries = vi.spyOn(bridge.store, 'summaries');
  await receive(bridge.store, one.id, 'm1');
  bridge.board.set(one.id, { doing: 'Bash' });
  expect(summaries).not.toHaveBeenCalled();
  const session = followSession(bridge, one.id);
  await session.connect();
  await session.until(() => true);
  await receive(bridge.store, other.id, 'm2');
  await receive(bridge.store, one.id, 'm3');
  await session.until((view) => view.session.pending === 2);
  expect(new Set(summaries.mock.calls.map(([filter]) => filter?.ids?.join()))).toEqual(new Set([one.id]));
});

test('For a viewer that asks a thousand times at once the home is read only for the last time.', async () => {
  const { store, board } = await startBridge();
  await makeSession(store);
  const ignore = (): void => undefined;
  const topics = createTopics({
    store,
    live: {
      live: (id) => board.live(id),
      draft: (id) => board.draft(id),
      onLive: (listener) => board.onLive(listener),
      onDraft: (listener) => board.onDraft(listener),
      problems: () => [],
      onProblems: () => ignore,
    },
    facts: {
      version: '1',
      pid: 1,
      startedAt: 0,
      safe: null,
      home: '/',
      dayLimitMicroUsd: 0,
      supervisorPid: () => null,
    },
    clock: systemClock,
    ids: createSystemIds(systemClock),
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  onTestFinished(() => topics.close());
  const summaries = vi.spyOn(store, 'summaries');
  const sent: string[] = [];
  const viewer = (gone: boolean): Viewer => ({
    gone,
    send: (frame) => void sent.push(frame),
    sendDraft: () => true,
  });
  const asked = Array.from({ length: 1_000 }, (_, count) =>
    topics.subscribe('home', viewer(count < 999), undefined),
  );
  await Promise.all(asked);
  expect([summaries.mock.calls.length, sent.length]).toEqual([1, 1]);
});

test('A home of 2,000 sessions and long prompts comes in frames below the limit; only the last has a place.', async () => {
  const bridge = await startBridge();
  const rows = await Promise.all(
    Array.from({ length: 2_000 }, (_, count) => makeSession(bridge.store, `s${count}`)),
  );
  for (const { id } of rows.slice(0, 12)) await askPerson(bridge.store, id, `echo ${'界'.repeat(30_000)}`);
  const client = await bridge.viewer();
  const sizes: number[] = [];
  client.socket.on('message', (data: Buffer) => sizes.push(data.length));
  client.send({ type: 'subscribe', topic: 'home' });
  await client.until('change', ({ place }) => place.epoch !== '');
  const placed = client.frames.flatMap((frame) => ('place' in frame ? [frame.place.epoch !== ''] : []));
  expect([
    Math.max(...sizes) <= limits.frameBytes,
    placed.slice(0, -1).includes(true),
    placed.at(-1),
  ]).toEqual([true, false, true]);
  const home = followHome(bridge);
  await home.connect();
  const view = await home.until(
    ({ sessions, prompts }) => sessions.length === 2_000 && prompts.length === 12,
  );
  expect(view.prompts.map(({ preview, previewCut }) => [preview.length, previewCut])).toEqual(
    Array.from({ length: 12 }, () => [16_384, true]),
  );
});

test('An event larger than a frame is told by number, and fetched as a page it completes the view.', async () => {
  const bridge = await startBridge();
  const { id } = await makeSession(bridge.store);
  const session = followSession(bridge, id);
  await session.connect();
  await session.until(() => true);
  await receive(bridge.store, id, 'huge', '界'.repeat(87_300));
  await receive(bridge.store, id, 'small');
  const view = await session.until(({ events }) => events.some(({ seq }) => seq === 3));
  const [missing] = missingSeqs(view);
  const answer = await bridge.ask({
    path: `/api/v1/sessions/${id}/events?after=${(missing ?? 0) - 1}&limit=1`,
  });
  const whole = addPage(view, (answer.json as EventPage).events);
  const fresh = await bridge.viewer();
  fresh.send({ type: 'subscribe', topic: `session:${id}` });
  const snapshot = await fresh.until('snapshot');
  const opened = openSession(sessionSnapshotSchema.parse(snapshot.view), snapshot.place.seq);
  expect({
    missing,
    seqs: whole.events.map(({ seq }) => seq),
    still: missingSeqs(whole),
    fresh: opened.events.map(({ seq }) => seq),
    older: olderThan(opened),
  }).toEqual({ missing: 2, seqs: [1, 2, 3], still: [], fresh: [3], older: 3 });
});

test('A prompt shows in its session at once and when it ends.', async () => {
  const bridge = await startBridge();
  const { id } = await makeSession(bridge.store, 'shop');
  const session = followSession(bridge, id);
  await session.connect();
  await session.until(() => true);
  const code = await askPerson(bridge.store, id);
  const asking = await session.until(({ prompts }) => prompts.length === 1);
  await bridge.store.claimPrompt({
    code,
    verdict: { behavior: 'deny' },
    by: { surface: 'viewers', principal: 'owner', at: 1 },
  });
  const ended = await session.until(
    ({ prompts, session: { openPrompts } }) => prompts[0]?.state === 'decided' && openPrompts === 0,
  );
  expect([
    asking.prompts[0]?.code,
    asking.prompts[0] && 'digest' in asking.prompts[0],
    ended.prompts[0]?.by,
  ]).toEqual([code, false, { surface: 'viewers', principal: 'owner', at: 1 }]);
});

test('A viewer that falls more than 4 MB behind is told to resync and closed, while the others go on.', async () => {
  const bridge = await startBridge();
  const { id } = await makeSession(bridge.store);
  const topic = `session:${id}`;
  const slow = await openViewer(bridge.port, await bridge.ticket());
  onTestFinished(() => slow.socket.terminate());
  slow.send({ type: 'subscribe', topic });
  await slow.until('snapshot');
  const quick = followSession(bridge, id);
  await quick.connect();
  await quick.until(() => true);
  slow.socket.pause();
  // More than the kernel's buffers on both sides and the 4 MB of the bridge.
  for (let count = 0; count < 120; count += 1)
    await receive(bridge.store, id, `large-${count}`, 'x'.repeat(200_000));
  const view = await quick.until(({ seq }) => seq === 121);
  slow.socket.resume();
  const code = await slow.closed;
  const seqs = slow.frames.flatMap((frame) => (frame.type === 'event' ? [frame.place.seq] : []));
  expect({
    quick: view.events.length,
    code,
    inOrder: seqs.every((seq, index) => index === 0 || seq === (seqs[index - 1] ?? 0) + 1),
    missed: seqs.length < 120,
    last: slow.frames.at(-1)?.type,
  }).toEqual({ quick: 121, code: 4002, inOrder: true, missed: true, last: 'resync' });
}, 20_000);

/** A clock whose timers fire when the test says so. */
function handClock() {
  let now = 1_000;
  const timers = new Set<{ at: number; fn: () => void }>();
  const advance = (ms: number): void => {
    now += ms;
    for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.fn();
  };
  const clock = {
    ...systemClock,
    monotonic: () => now,
    after: (ms: number, fn: () => void) => {
      const timer = { at: now + ms, fn };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  return { clock, advance };
}

test('Drafts go out at once, then at most every 34 ms; a snapshot has them, and the committed reply ends them.', async () => {
  const { clock, advance } = handClock();
  const bridge = await startBridge({ clock });
  const { id } = await makeSession(bridge.store);
  await receive(bridge.store, id, 'm1');
  const step = await beginStep(bridge.store, id);
  const piece = (offset: number, text: string, part = 0) =>
    bridge.board.addDraft({ session: id, step, part, kind: 'text', offset, text });
  const session = followSession(bridge, id);
  await session.connect();
  await session.until(() => true);
  piece(0, 'Hel');
  await session.until(({ draft }) => draft?.parts[0]?.text === 'Hel');
  piece(3, 'lo');
  piece(5, ', wor');
  const late = followSession(bridge, id);
  await late.connect();
  const snapshot = await late.until(() => true);
  piece(10, 'ld');
  piece(0, 'More', 1);
  advance(34);
  const whole = [
    { kind: 'text', text: 'Hello, world' },
    { kind: 'text', text: 'More' },
  ];
  const views = [session, late].map((follower) =>
    follower.until(({ draft }) => draft?.parts[1]?.text === 'More'),
  );
  for (const view of await Promise.all(views))
    expect([view.draft?.parts, view.draftGap]).toEqual([whole, false]);
  await reply(bridge.store, id, step, [{ type: 'text', text: 'Hello, world' }]);
  piece(12, '!');
  advance(34);
  const ended = await session.until(
    ({ draft, events }) => draft === null && events.some(({ type }) => type === 'step.replied'),
  );
  expect([snapshot.draft, ended.draft]).toEqual([
    { step, parts: [{ kind: 'text', text: 'Hello, wor' }] },
    null,
  ]);
});

test('A gap in a draft is seen by the viewer.', async () => {
  const bridge = await startBridge();
  const { id } = await makeSession(bridge.store);
  const client = await bridge.viewer();
  client.send({ type: 'subscribe', topic: `session:${id}` });
  const { view, place } = await client.until('snapshot');
  const opened = openSession(sessionSnapshotSchema.parse(view), place.seq);
  expect(opened).toMatchObject({ draft: null, draftGap: false, seq: 1 });
  expect(homeViewSchema.safeParse(view).success).toBe(false);
});
