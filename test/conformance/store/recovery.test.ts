import { describe, expect } from 'vitest';
import {
  ask,
  begin,
  beginCall,
  callParts,
  endCall,
  log,
  newSession,
  reply,
  say,
  send,
  terms,
  withCalls,
} from '../../store/support/acts.ts';
import { behaviour, codeOf } from '../store-rig.ts';

const unknownText = 'Interrupted; it is not known whether this took effect. Check before repeating it.';

// Deaths of workers and of the daemon.
describe('recovery', () => {
  behaviour('a running call of a dead worker ends as unknown and is not repeated', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash'], ['c2', 'Bash']);
    await beginCall(store, session, step, 'c1', { do: 'grant' });
    expect(await store.workerLost(session, true)).toEqual({
      session,
      unknownCalls: ['c1'],
      parked: false,
    });
    expect(await store.effect('c1')).toMatchObject({
      state: 'uncertain',
      result: { outcome: 'unknown', output: unknownText },
    });
    expect(await codeOf(endCall(store, session, 'c1'))).toBe('stale');
    expect(await store.nextStep(session, terms)).toMatchObject({
      kind: 'calls',
      calls: [{ id: 'c1' }, { id: 'c2', state: 'planned' }],
    });
  });

  behaviour('when the unknown call was the last, the next step begins by itself', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    await beginCall(store, session, step, 'c1', { do: 'grant' });
    await store.workerLost(session, true);
    expect(await store.runnable()).toEqual([session]);
    expect(await store.nextStep(session, terms)).toMatchObject({
      kind: 'request',
      step: { n: 2 },
      repeated: false,
    });
  });

  behaviour('a pure call may run again', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Read']);
    await beginCall(store, session, step, 'c1', { do: 'grant' }, { facts: { class: 'pure' } });
    expect(await store.workerLost(session, true)).toEqual({ session, unknownCalls: [], parked: false });
    expect(
      (await beginCall(store, session, step, 'c1', { do: 'grant' }, { facts: { class: 'pure' } })).kind,
    ).toBe('granted');
    expect(await store.effect('c1')).toMatchObject({ attempt: 2 });
  });

  behaviour('sleeping and asking calls outlive their worker', async ({ store, clock }) => {
    const first = await withCalls(store, ['c1', 'Sleep']);
    const second = await withCalls(store, ['d1', 'Bash']);
    await beginCall(store, first.session, first.step, 'c1', { do: 'sleep', until: clock.now() + 9000 });
    const { code } = await ask(store, second.session, second.step, 'd1');
    await store.workerLost(first.session, true);
    await store.workerLost(second.session, true);
    expect(await store.nextStep(first.session, terms)).toEqual({ kind: 'waiting', call: 'c1' });
    expect(await store.prompt(code)).toMatchObject({ state: 'open' });
  });

  behaviour('the third death at one place parks and tells, others go on', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id);
    await begin(store, id);
    const other = await newSession(store);
    await say(store, other);
    const deaths = [];
    for (let n = 0; n < 3; n += 1) deaths.push((await store.workerLost(id, true)).parked);
    expect(deaths).toEqual([false, false, true]);
    expect((await store.session(id))?.parked?.code).toBe('crash_loop');
    expect((await log(store, id)).slice(-2)).toEqual(['session.parked', 'message.sent']);
    expect(await store.runnable()).toEqual([other]);
    await store.unpark(id);
    expect((await store.workerLost(id, true)).parked).toBe(false);
  });

  behaviour('progress between deaths starts the count anew', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Read'], ['c2', 'Read']);
    await store.workerLost(session, true);
    await store.workerLost(session, true);
    await beginCall(store, session, step, 'c1', { do: 'grant' });
    await endCall(store, session, 'c1');
    expect((await store.workerLost(session, true)).parked).toBe(false);
    expect((await store.workerLost(session, true)).parked).toBe(false);
    expect((await store.workerLost(session, true)).parked).toBe(true);
  });

  behaviour('a worker that was stopped on purpose is not counted', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id);
    await begin(store, id);
    for (let n = 0; n < 5; n += 1) expect((await store.workerLost(id, false)).parked).toBe(false);
    expect((await store.session(id))?.crash).toBeNull();
  });

  behaviour('a worker that died without work changes nothing', async ({ store }) => {
    const id = await newSession(store);
    expect(await store.workerLost(id, true)).toEqual({ session: id, unknownCalls: [], parked: false });
    expect(await log(store, id)).toEqual([]);
  });

  behaviour('at boot every session with an open step is recovered', async (rig) => {
    const first = await withCalls(rig.store, ['c1', 'Bash']);
    await beginCall(rig.store, first.session, first.step, 'c1', { do: 'grant' });
    const second = await newSession(rig.store);
    await say(rig.store, second);
    await begin(rig.store, second);
    await say(rig.store, await newSession(rig.store));
    const store = await rig.crash();
    expect(await store.recoverAll()).toEqual([
      { session: first.session, unknownCalls: ['c1'], parked: false },
      { session: second, unknownCalls: [], parked: false },
    ]);
    expect(await store.recoverAll()).toHaveLength(2);
  });

  behaviour('each call has its result after a crash at every point of a step', async (rig) => {
    const id = await newSession(rig.store);
    await say(rig.store, id);
    const step = await begin(rig.store, id);
    let store = await rig.crash();
    await store.recoverAll();
    expect(await store.nextStep(id, terms)).toMatchObject({ kind: 'request', repeated: true });
    await reply(store, id, step.id, callParts(['c1', 'Bash'], ['c2', 'SendUserMessage']));
    store = await rig.crash();
    await store.recoverAll();
    expect(await store.nextStep(id, terms)).toMatchObject({
      kind: 'calls',
      calls: [{ state: 'planned' }, { state: 'planned' }],
    });
    await beginCall(store, id, step.id, 'c1', { do: 'grant' });
    store = await rig.crash();
    await store.recoverAll();
    expect((await beginCall(store, id, step.id, 'c2', send('hi'))).kind).toBe('ended');
    store = await rig.crash();
    await store.recoverAll();
    expect(await store.nextStep(id, terms)).toMatchObject({
      kind: 'request',
      repeated: true,
      step: { n: 2 },
    });
    const events = await store.events(id, { after: 0, limit: 100 });
    const calls = (type: string) =>
      events.filter((event) => event.type === type).map((event) => (event.body as { call: string }).call);
    expect([calls('call.began'), calls('call.ended')]).toEqual([
      ['c1', 'c2'],
      ['c1', 'c2'],
    ]);
  });

  behaviour('what was not committed when the process died never happened', async (rig) => {
    const id = await newSession(rig.store);
    let answered = false;
    void say(rig.store, id, 'lost').then(() => void (answered = true));
    const store = await rig.crash();
    await new Promise((resolve) => setImmediate(resolve));
    expect([answered, await log(store, id), await store.runnable()]).toEqual([false, [], []]);
  });

  behaviour('logs and rows are the same after a restart', async (rig) => {
    const { session, step } = await withCalls(rig.store, ['c1', 'Bash'], ['c2', 'Bash']);
    await ask(rig.store, session, step, 'c1');
    const look = async () => [
      await rig.store.events(session, { after: 0, limit: 100 }),
      await rig.store.summaries(),
      await rig.store.prompts({ limit: 10 }),
      await rig.store.calls(step),
      await rig.store.usageToday(),
    ];
    const before = await look();
    await rig.reopen();
    expect(await look()).toEqual(before);
  });
});
