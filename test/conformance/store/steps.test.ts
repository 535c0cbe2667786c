import { describe, expect } from 'vitest';
import {
  begin,
  beginCall,
  callParts,
  endCall,
  log,
  newSession,
  reply,
  say,
  terms,
  textPart,
  usage,
  withCalls,
} from '../../store/support/acts.ts';
import { behaviour, codeOf } from '../store-rig.ts';

// Steps, replies, budgets, pauses.
describe('steps', () => {
  behaviour('without a reason to run a session is idle', async ({ store }) => {
    const id = await newSession(store);
    expect(await store.nextStep(id, terms)).toEqual({ kind: 'idle' });
  });

  behaviour('a step that began is repeated identically, also after a crash', async (rig) => {
    const id = await newSession(rig.store);
    await say(rig.store, id);
    const step = await begin(rig.store, id);
    expect(await rig.store.nextStep(id, terms)).toEqual({ kind: 'request', step, repeated: true });
    const store = await rig.crash();
    expect(await store.nextStep(id, terms)).toEqual({ kind: 'request', step, repeated: true });
    expect(await store.runnable()).toEqual([id]);
  });

  behaviour('a reply is stored whole before any call, with its calls in order', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id);
    const step = await begin(store, id);
    const parts = [
      { type: 'thinking', text: 'hm', provider: 'p', signature: 's' } as const,
      textPart('I look.'),
      ...callParts(['c1', 'Read'], ['c2', 'Bash']),
    ];
    const next = await reply(store, id, step.id, parts);
    expect(next).toMatchObject({
      kind: 'calls',
      step: { id: step.id, state: 'replied', calls: ['c1', 'c2'] },
      reply: { parts },
      calls: [
        { id: 'c1', tool: 'Read', input: { of: 'c1' }, state: 'planned', kind: 'call', cause: step.id },
        { id: 'c2', tool: 'Bash', state: 'planned' },
      ],
    });
    expect(await store.nextStep(id, terms)).toEqual(next);
    expect((await store.events(id, { limit: 1 }))[0]?.body).toMatchObject({ reply: { parts }, usage });
  });

  behaviour('a turn that a hook wants more of goes on three times, then it ends', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id);
    let step = (await begin(store, id)).id;
    const kinds: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const done = { model: 'm', parts: [textPart('Done.')], stop: 'end' } as const;
      const whole = { ...done, parts: [...done.parts] };
      const next = await store.recordReply({
        session: id,
        step,
        reply: whole,
        usage,
        terms,
        goOn: 'not yet',
      });
      kinds.push(next.kind);
      if (next.kind === 'request') step = next.step.id;
    }
    const events = await store.events(id, { after: 0, limit: 100 });
    const told = events.flatMap(({ type, body }) => (type === 'turn.nudged' ? [body] : []));
    expect([kinds, told.length, told[0]]).toEqual([
      ['request', 'request', 'request', 'turn_ended'],
      3,
      { turn: expect.any(String), text: 'not yet' },
    ]);
  });

  behaviour(
    'a reply for another step, a second reply and one without a step are stale',
    async ({ store }) => {
      const id = await newSession(store);
      expect(await codeOf(reply(store, id, 'stp_x', [textPart('x')]))).toBe('stale');
      await say(store, id);
      const step = await begin(store, id);
      expect(await codeOf(reply(store, id, 'stp_x', [textPart('x')]))).toBe('stale');
      await reply(store, id, step.id, callParts(['c1', 'Bash']));
      expect(await codeOf(reply(store, id, step.id, [textPart('x')]))).toBe('stale');
    },
  );

  behaviour('a call id is used once, in a reply and in the whole store', async ({ store }) => {
    const { session } = await withCalls(store, ['c1', 'Bash']);
    const other = await newSession(store);
    await say(store, other);
    const step = await begin(store, other);
    expect(await codeOf(reply(store, other, step.id, callParts(['c1', 'Bash'])))).toBe('bad_input');
    expect(await codeOf(reply(store, other, step.id, callParts(['d', 'Bash'], ['d', 'Bash'])))).toBe(
      'bad_input',
    );
    expect((await store.session(other))?.step?.state).toBe('began');
    expect((await store.session(session))?.step?.calls).toEqual(['c1']);
  });

  behaviour('the end of the last call and the next step are one commit', async ({ store, notices }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash'], ['c2', 'Bash']);
    await beginCall(store, session, step, 'c1', { do: 'grant' });
    expect(await endCall(store, session, 'c1')).toBeNull();
    await beginCall(store, session, step, 'c2', { do: 'grant' });
    const next = await endCall(store, session, 'c2');
    expect(next).toMatchObject({ kind: 'request', repeated: false, step: { n: 2 } });
    expect(notices.at(-1)?.events.map((event) => event.type)).toEqual(['call.ended', 'step.began']);
  });

  behaviour('the opaque context of a runner is kept with the reply', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id);
    const step = await begin(store, id);
    const context = new TextEncoder().encode('opaque');
    await store.recordReply({
      session: id,
      step: step.id,
      reply: { model: 'm', parts: callParts(['c1', 'Bash']), stop: 'calls' },
      usage,
      terms,
      context,
    });
    const hash = (await store.session(id))?.context ?? '';
    expect(Buffer.from((await store.blob(hash)) ?? []).toString()).toBe('opaque');
  });
});

describe('pauses', () => {
  behaviour('a paused session runs for the owner and for nobody else', async ({ store }) => {
    const id = await newSession(store);
    await store.setPaused(id, true);
    const tick = await say(store, id, 'tick', { kind: 'tick' });
    expect(await store.nextStep(id, terms)).toMatchObject({ kind: 'refused', why: 'paused' });
    expect(await store.runnable()).toEqual([]);
    const direct = await say(store, id, 'now');
    expect(await store.runnable()).toEqual([id]);
    expect((await begin(store, id)).wakes).toEqual([direct.id]);
    expect((await store.message(tick.id))?.wake.state).toBe('pending');
  });

  behaviour('pausing all holds every session, and resuming lets each go on', async ({ store }) => {
    const [one, two] = [await newSession(store), await newSession(store)];
    await say(store, one, 'tick', { kind: 'tick' });
    await say(store, two);
    await store.setPausedAll(true);
    expect(await store.runnable()).toEqual([two]);
    expect(await store.nextStep(one, terms)).toMatchObject({ kind: 'refused', why: 'paused' });
    await store.setPausedAll(false);
    expect((await store.runnable()).toSorted()).toEqual([one, two].toSorted());
    expect((await begin(store, one)).n).toBe(1);
  });

  behaviour('running calls finish while paused, then the turn waits between steps', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id, 'tick', { kind: 'tick' });
    const step = await begin(store, id);
    await reply(store, id, step.id, callParts(['c1', 'Bash']));
    await store.setPaused(id, true);
    expect(await store.runnable()).toEqual([id]);
    expect((await store.nextStep(id, terms)).kind).toBe('calls');
    await beginCall(store, id, step.id, 'c1', { do: 'grant' });
    expect(await endCall(store, id, 'c1')).toMatchObject({ kind: 'refused', why: 'paused' });
    expect(await store.session(id)).toMatchObject({ step: null, turn: { steps: 1 } });
    expect(await store.runnable()).toEqual([]);
    await store.setPaused(id, false);
    expect(await store.runnable()).toEqual([id]);
    expect((await begin(store, id)).n).toBe(2);
  });
});

describe('pauses and the owner', () => {
  behaviour(
    "an owner's message for after the turn does not open a paused turn, one that joins does",
    async ({ store }) => {
      const id = await newSession(store);
      await say(store, id, 'tick', { kind: 'tick' });
      const step = await begin(store, id);
      await reply(store, id, step.id, callParts(['c1', 'Bash']));
      await store.setPaused(id, true);
      await endCall(store, id, 'c1', { outcome: 'error', output: '' });
      await say(store, id, 'later', { mode: 'after_turn' });
      expect([await store.runnable(), (await store.nextStep(id, terms)).kind]).toEqual([[], 'refused']);
      const joins = await say(store, id, 'now');
      expect(await store.runnable()).toEqual([id]);
      expect((await begin(store, id)).wakes).toEqual([joins.id]);
    },
  );
});

describe('budgets', () => {
  const limited = { ...terms, limits: { dayMicroUsd: 1000, sessionDayTokens: null } };

  behaviour('a reservation counts as spent until the reply settles it', async ({ store }) => {
    const [one, two, three] = [await newSession(store), await newSession(store), await newSession(store)];
    await say(store, one);
    await say(store, two);
    await say(store, three);
    const step = await begin(store, one, limited);
    await begin(store, two, limited);
    expect(await store.usageToday()).toEqual({ tokens: 2000, microUsd: 1000 });
    expect(await store.nextStep(three, limited)).toMatchObject({ kind: 'refused', why: 'budget' });
    await reply(store, one, step.id, [textPart('x')], limited);
    expect(await store.usageToday()).toMatchObject({ microUsd: 500 + 20 });
  });

  behaviour('a step that was abandoned counts as what was reserved', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id);
    await begin(store, id);
    await store.interrupt(id, 'stop');
    expect(await store.usageToday()).toEqual({ tokens: 1000, microUsd: 500 });
  });

  behaviour(
    "a session's own limit holds that session only, and only for the day",
    async ({ store, clock }) => {
      const own = { ...terms, limits: { dayMicroUsd: null, sessionDayTokens: 1500 } };
      const [one, two] = [await newSession(store), await newSession(store)];
      await say(store, one);
      await begin(store, one, own);
      await store.interrupt(one, 'stop');
      await say(store, one);
      await say(store, two);
      expect(await store.nextStep(one, own)).toMatchObject({ kind: 'refused', why: 'budget' });
      expect((await store.nextStep(two, own)).kind).toBe('request');
      clock.advance(24 * 60 * 60 * 1000);
      expect((await store.nextStep(one, own)).kind).toBe('request');
      expect(await store.usageToday()).toEqual({ tokens: 1000, microUsd: 500 });
    },
  );

  behaviour(
    'the budget refuses the next step after the last call, and the turn stays open',
    async ({ store }) => {
      const { session, step } = await withCalls(store, ['c1', 'Bash']);
      const next = await store.endCall({
        session,
        call: 'c1',
        result: { outcome: 'error', output: '' },
        terms: { ...terms, limits: { dayMicroUsd: 100, sessionDayTokens: null } },
      });
      expect(next).toMatchObject({ kind: 'refused', why: 'budget' });
      expect(await store.session(session)).toMatchObject({ step: null, turn: { id: expect.any(String) } });
      await store.unpark(session);
      expect((await begin(store, session)).n).toBe(2);
      expect(await store.calls(step)).toMatchObject([{ state: 'failed' }]);
      expect((await log(store, session)).at(-1)).toBe('step.began');
    },
  );
});
