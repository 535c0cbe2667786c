import { describe, expect } from 'vitest';
import { begin, chat, log, newSession, say, stranger, terms, withCalls } from '../../store/support/acts.ts';
import { behaviour, codeOf } from '../store-rig.ts';

// Names, modes, pauses, parking, archive, frames.
describe('sessions', () => {
  behaviour('a new session has its first event and nothing to do', async ({ store, clock }) => {
    const id = await newSession(store, { name: 'work' });
    expect(await store.session('work')).toEqual({
      id,
      name: 'work',
      kind: 'interactive',
      workerType: 'kairos',
      parent: null,
      dir: '/home/x',
      mode: 'default',
      model: 'offline',
      createdAt: clock.now(),
      lastActivity: clock.now(),
      archivedAt: null,
      seq: 1,
      nextRef: 1,
      paused: false,
      parked: null,
      turn: null,
      step: null,
      frame: null,
      context: null,
      crash: null,
      brief: false,
      compaction: null,
      memo: null,
      tasks: null,
      todos: null,
      budget: null,
      rules: null,
      sandbox: null,
    });
    expect(await store.events(id, { limit: 10 })).toEqual([
      {
        id: 1,
        session: id,
        seq: 1,
        at: clock.now(),
        v: 1,
        type: 'session.created',
        body: {
          name: 'work',
          kind: 'interactive',
          dir: '/home/x',
          mode: 'default',
          model: 'offline',
          parent: null,
        },
      },
    ]);
    expect(await store.runnable()).toEqual([]);
  });

  behaviour('a name belongs to one session until that is archived', async ({ store }) => {
    const first = await newSession(store, { name: 'work' });
    expect(await codeOf(newSession(store, { name: 'work' }))).toBe('name_taken');
    const other = await newSession(store, { name: 'play' });
    expect(await codeOf(store.renameSession(other, 'work'))).toBe('name_taken');
    await store.archive(first);
    expect((await store.renameSession(other, 'work')).name).toBe('work');
    expect((await store.session('work'))?.id).toBe(other);
    expect((await store.session(first))?.name).toBe('work');
  });

  behaviour('two creations of one name in the same commit: the first has it', async ({ store }) => {
    const both = await Promise.allSettled([
      newSession(store, { name: 'a' }),
      newSession(store, { name: 'a' }),
    ]);
    expect(both.map((one) => one.status)).toEqual(['fulfilled', 'rejected']);
    expect(await store.summaries()).toHaveLength(1);
  });

  behaviour('a name that looks like an id or an option is refused', async ({ store }) => {
    expect(await codeOf(newSession(store, { name: 'ses_1' }))).toBe('bad_input');
    expect(await codeOf(newSession(store, { name: '-x' }))).toBe('bad_input');
    expect(await codeOf(newSession(store, { name: '' }))).toBe('bad_input');
    expect(await newSession(store, { name: '工作.2' })).toBeTruthy();
  });

  behaviour('an unknown parent, session or name is not found', async ({ store }) => {
    expect(await codeOf(newSession(store, { parent: 'ses_x' }))).toBe('not_found');
    expect(await codeOf(store.renameSession('ses_x', 'a'))).toBe('not_found');
    expect(await codeOf(store.nextStep('ses_x', terms))).toBe('not_found');
    expect(await store.session('nobody')).toBeNull();
    expect(await store.events('ses_x', { limit: 10 })).toEqual([]);
  });

  behaviour('renaming, mode and pause are events only when they change something', async ({ store }) => {
    const id = await newSession(store, { name: 'a' });
    await store.renameSession(id, 'a');
    await store.renameSession(id, 'b');
    await store.setMode(id, 'default');
    await store.setMode(id, 'bypassPermissions');
    await store.setPaused(id, false);
    await store.setPaused(id, true);
    await store.setPaused(id, true);
    const { paused, mode } = await store.setPaused(id, false);
    expect({ paused, mode, log: await log(store, id) }).toEqual({
      paused: false,
      mode: 'bypassPermissions',
      log: ['session.renamed', 'session.mode_set', 'session.paused', 'session.resumed'],
    });
  });

  behaviour(
    'a parked session tells why once, takes no step, and goes on when it is taken up',
    async ({ store }) => {
      const id = await newSession(store);
      await say(store, id);
      expect((await store.park(id, 'model', 'no key.')).parked?.code).toBe('model');
      expect((await store.park(id, 'other', 'later.')).parked?.code).toBe('model');
      expect(await store.nextStep(id, terms)).toEqual({
        kind: 'refused',
        why: 'parked',
        reason: 'no key.',
      });
      expect(await store.runnable()).toEqual([]);
      expect((await store.unpark(id)).parked).toBeNull();
      expect(await store.runnable()).toEqual([id]);
      expect((await begin(store, id)).n).toBe(1);
      expect(await log(store, id)).toEqual([
        'message.received',
        'session.parked',
        'message.sent',
        'session.unparked',
        'turn.began',
        'step.began',
      ]);
    },
  );

  behaviour(
    'a notice of parking goes to the chats that wait, and their messages stay owed',
    async ({ store }) => {
      const id = await newSession(store);
      const wake = await say(store, id, 'hi', { kind: 'channel', origin: stranger, route: chat });
      await begin(store, id);
      await store.park(id, 'model', 'no key.');
      const [delivery] = await store.openEffects();
      expect(delivery).toMatchObject({
        kind: 'delivery',
        route: chat,
        text: 'This session stopped: no key.',
      });
      expect((await store.message(wake.id))?.settledBy).toBeNull();
      expect((await store.session(id))?.turn?.owes).toHaveLength(1);
    },
  );

  behaviour('archiving interrupts the turn and settles what waits', async ({ store }) => {
    const { session, wake } = await withCalls(store, ['c1', 'Bash']);
    const waiting = await say(store, session, 'later', { mode: 'after_turn' });
    await store.archive(session);
    await store.archive(session);
    expect((await store.message(wake.id))?.settledBy).toBe('interrupted');
    expect((await store.message(waiting.id))?.settledBy).toBe('interrupted');
    expect(await store.runnable()).toEqual([]);
    expect(await codeOf(say(store, session))).toBe('not_found');
    expect(await store.summaries()).toEqual([]);
    expect(await store.summaries({ archived: true })).toMatchObject([
      { session: { id: session }, pending: 0 },
    ]);
  });

  behaviour('the same frame has the same hash and can be read back', async ({ store }) => {
    const id = await newSession(store);
    const first = await store.pinFrame(id, 'frame one');
    const second = await store.pinFrame(id, 'frame two');
    expect(await store.pinFrame(id, 'frame one')).toBe(first);
    expect((await store.session(id))?.frame).toBe(first);
    expect(new TextDecoder().decode((await store.blob(second)) ?? undefined)).toBe('frame two');
    await say(store, id);
    expect((await begin(store, id)).frame).toBe(first);
  });
});
