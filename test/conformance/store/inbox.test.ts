import { describe, expect } from 'vitest';
import {
  begin,
  callParts,
  chat,
  log,
  newSession,
  owner,
  plainSession,
  reply,
  say,
  stranger,
  terms,
  textPart,
  viewers,
} from '../../store/support/acts.ts';
import { behaviour, codeOf } from '../store-rig.ts';

// Admission of wakes and which of them a step takes.
describe('inbox', () => {
  behaviour(
    'a text becomes message.received with its ref, and the wake knows where it is',
    async ({ store, clock }) => {
      const id = await newSession(store);
      clock.advance(1000);
      const wake = await say(store, id, 'hello', { message: 'uuid-1', dedupeKey: 'k' });
      const [event] = await store.events(id, { limit: 1 });
      expect(wake).toEqual({
        id: wake.id,
        session: id,
        kind: 'person',
        mode: 'next_step',
        origin: owner,
        route: viewers,
        dedupeKey: 'k',
        state: 'pending',
        createdAt: clock.now(),
        availableAt: clock.now(),
        message: 'uuid-1',
        ref: 'm1',
        seq: 2,
        call: null,
        turn: null,
      });
      expect(event).toMatchObject({
        seq: 2,
        origin: owner,
        body: {
          message: 'uuid-1',
          wake: wake.id,
          ref: 'm1',
          kind: 'person',
          mode: 'next_step',
          text: 'hello',
          route: viewers,
        },
      });
      expect((await store.session(id))?.lastActivity).toBe(clock.now());
    },
  );

  behaviour(
    'the same dedupe key is the first message, also in one commit and after a restart',
    async (rig) => {
      const id = await newSession(rig.store);
      const input = {
        session: id,
        kind: 'person',
        mode: 'next_step',
        origin: owner,
        route: viewers,
        dedupeKey: 'k',
      } as const;
      const [first, second] = await Promise.all([
        rig.store.admitWake({ ...input, text: 'one' }),
        rig.store.admitWake({ ...input, text: 'two' }),
      ]);
      const again = await (await rig.reopen()).admitWake({ ...input, text: 'three' });
      expect([first.duplicate, second.duplicate, again.duplicate]).toEqual([false, true, true]);
      expect([second.wake.id, again.wake.id]).toEqual([first.wake.id, first.wake.id]);
      expect(await log(rig.store, id)).toEqual(['message.received']);
    },
  );

  behaviour(
    'a repeated message still finds its first one after its session was archived',
    async ({ store }) => {
      const id = await newSession(store);
      const wake = await say(store, id, 'x', { dedupeKey: 'k' });
      await store.archive(id);
      expect((await say(store, id, 'x', { dedupeKey: 'k' })).id).toBe(wake.id);
    },
  );

  behaviour('a text over 256 KB is refused, one of exactly 256 KB comes back whole', async ({ store }) => {
    const id = await newSession(store);
    expect(await codeOf(say(store, id, 'x'.repeat(256 * 1024 + 1)))).toBe('too_large');
    expect(await codeOf(say(store, id, '\u00e9'.repeat(128 * 1024 + 1)))).toBe('too_large');
    const text = '\u00e9'.repeat(128 * 1024);
    await say(store, id, text);
    const [event] = await store.events(id, { limit: 1 });
    expect(event?.type === 'message.received' && event.body.text === text).toBe(true);
  });

  behaviour('a wake without its text or its call is refused', async ({ store }) => {
    const session = await newSession(store);
    const input = { session, mode: 'next_step', origin: owner, route: viewers, dedupeKey: 'k' } as const;
    expect(await codeOf(store.admitWake({ ...input, kind: 'person' }))).toBe('bad_input');
    expect(await codeOf(store.admitWake({ ...input, kind: 'timer' }))).toBe('bad_input');
  });

  behaviour('a new turn takes everything that may join, in order', async ({ store }) => {
    const id = await newSession(store);
    const wakes = [await say(store, id, 'a'), await say(store, id, 'b')];
    const step = await begin(store, id);
    expect(step.wakes).toEqual(wakes.map((wake) => wake.id));
    const began = (await store.events(id, { limit: 1 }))[0];
    expect(began?.body).toMatchObject({
      delivered: [
        { ref: 'm1', seq: 2 },
        { ref: 'm2', seq: 3 },
      ],
      policy: 'p1',
      reservation: terms.reservation,
      n: 1,
    });
    expect((await store.summaries({ ids: [id] }))[0]?.pending).toBe(0);
  });

  behaviour('a message during a turn joins its next step', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id, 'a');
    const step = await begin(store, id);
    const second = await say(store, id, 'b');
    await reply(store, id, step.id, callParts(['c1', 'Bash']));
    const next = await store.endCall({
      session: id,
      call: 'c1',
      result: { outcome: 'error', output: 'no' },
      terms,
    });
    expect(next).toMatchObject({ kind: 'request', step: { n: 2, wakes: [second.id] } });
  });

  behaviour('after_turn messages get a turn each, in order, with what may join', async ({ store }) => {
    const id = await newSession(store);
    const first = await say(store, id, '1', { mode: 'after_turn', kind: 'tick' });
    const second = await say(store, id, '2', { mode: 'after_turn', kind: 'tick' });
    const third = await say(store, id, '3', { kind: 'tick' });
    const step = await begin(store, id);
    expect(step.wakes).toEqual([first.id, third.id]);
    expect((await reply(store, id, step.id, [textPart('x')])).kind).toBe('turn_ended');
    expect(await store.runnable()).toEqual([id]);
    expect((await begin(store, id)).wakes).toEqual([second.id]);
  });

  behaviour('an after_turn message does not join a running turn', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id, '1', { kind: 'tick' });
    const step = await begin(store, id);
    await say(store, id, '2', { kind: 'tick', mode: 'after_turn' });
    await reply(store, id, step.id, callParts(['c1', 'Bash']));
    const next = await store.endCall({
      session: id,
      call: 'c1',
      result: { outcome: 'error', output: '' },
      terms,
    });
    expect(next).toMatchObject({ kind: 'request', step: { wakes: [] } });
  });

  behaviour('replace ends the running turn in the same commit and runs next', async ({ store, notices }) => {
    const id = await newSession(store);
    const first = await say(store, id, '1');
    await begin(store, id);
    const before = notices.length;
    const second = await say(store, id, '2', { mode: 'replace' });
    expect(notices.length).toBe(before + 1);
    expect(await log(store, id)).toEqual([
      'message.received',
      'turn.began',
      'step.began',
      'message.received',
      'step.abandoned',
      'message.sent',
      'message.settled',
      'turn.ended',
    ]);
    expect((await store.message(first.id))?.settledBy).toBe('interrupted');
    expect((await begin(store, id)).wakes).toEqual([second.id]);
  });

  behaviour(
    'a session and its first message are one commit; a duplicate makes no session',
    async ({ store, notices }) => {
      const session = { ...plainSession, name: 'first' };
      const wake = {
        kind: 'person',
        mode: 'next_step',
        origin: owner,
        route: viewers,
        dedupeKey: 'message:u1',
        text: 'hi',
        message: 'u1',
      } as const;
      const before = notices.length;
      const made = await store.admitToNewSession(session, wake);
      const again = await store.admitToNewSession({ ...session, name: 'second' }, wake);
      const taken = store.admitToNewSession(session, { ...wake, dedupeKey: 'message:u2', message: 'u2' });
      await expect(taken).rejects.toMatchObject({ code: 'name_taken' });
      expect({
        commits: notices.length - before,
        log: await log(store, made.wake.session),
        again: [again.duplicate, again.wake.session === made.wake.session],
        second: await store.session('second'),
        refused: await store.message('u2'),
      }).toEqual({
        commits: 1,
        log: ['message.received'],
        again: [true, true],
        second: null,
        refused: null,
      });
    },
  );

  behaviour('replace without a running turn is an ordinary message', async ({ store }) => {
    const id = await newSession(store);
    const wake = await say(store, id, '1', { mode: 'replace' });
    expect((await begin(store, id)).wakes).toEqual([wake.id]);
  });

  behaviour('a wake for later makes nothing runnable before its time', async ({ store, clock }) => {
    const id = await newSession(store);
    const at = clock.now() + 5000;
    await say(store, id, 'later', { kind: 'schedule', availableAt: at });
    expect(await store.runnable()).toEqual([]);
    expect(await store.nextStep(id, terms)).toEqual({ kind: 'idle' });
    expect(await store.nextDue()).toBe(at);
    expect((await store.summaries())[0]).toMatchObject({ pending: 0, nextWakeAt: at });
    clock.set(at);
    expect(await store.runnable()).toEqual([id]);
    expect((await store.summaries())[0]).toMatchObject({ pending: 1, nextWakeAt: null });
    expect((await begin(store, id)).n).toBe(1);
  });

  behaviour('a burst enters steps a hundred at a time, in order, none lost', async ({ store }) => {
    const id = await newSession(store);
    const wakes = await Promise.all(
      Array.from({ length: 250 }, (_, n) => say(store, id, `${n}`, { kind: 'tick' })),
    );
    const taken: string[] = [];
    for (
      let next = await store.nextStep(id, terms);
      next.kind !== 'idle';
      next = await store.nextStep(id, terms)
    ) {
      if (next.kind !== 'request') continue;
      taken.push(...next.step.wakes);
      await reply(store, id, next.step.id, [textPart('ok')]);
    }
    expect(taken).toEqual(wakes.map((wake) => wake.id));
  });

  behaviour('what a wake carries is copied: changing it later changes nothing', async ({ store }) => {
    const id = await newSession(store);
    const route = { ...chat };
    const wake = await say(store, id, 'x', { origin: stranger, kind: 'channel', route });
    route.chat = 'other';
    expect((await store.message(wake.id))?.wake.route).toEqual(chat);
  });

  behaviour('a clock that is set back holds no message that had come', async ({ store, clock }) => {
    const id = await newSession(store);
    const wake = await say(store, id);
    clock.advance(-3_600_000);
    expect(await store.runnable()).toEqual([id]);
    expect((await store.message(wake.id))?.wake).toEqual(wake);
    expect((await begin(store, id)).wakes).toEqual([wake.id]);
  });
});
