import { describe, expect } from 'vitest';
import { newestSchema } from '../../../electron/daemon/events/rows/newest-schema.ts';
import type { CommitNotice } from '../../../electron/daemon/events/port.ts';
import {
  begin,
  beginCall,
  endCall,
  log,
  newSession,
  say,
  terms,
  withCalls,
} from '../../store/support/acts.ts';
import { behaviour, codeOf } from '../store-rig.ts';

// Group commit, notices, crash points, pages, closing.
describe('commits', () => {
  behaviour(
    'verbs of one event-loop turn are one commit with one notice, in order',
    async ({ store, notices }) => {
      const [one, two] = [await newSession(store), await newSession(store)];
      notices.length = 0;
      const done: string[] = [];
      await Promise.all([
        say(store, one).then(() => done.push('a')),
        say(store, two).then(() => done.push('b')),
        say(store, one).then(() => done.push('c')),
      ]);
      expect(done).toEqual(['a', 'b', 'c']);
      expect(notices).toHaveLength(1);
      const [notice] = notices;
      expect(notice?.events.map(({ id, session, seq }) => [id, session, seq])).toEqual([
        [3, one, 2],
        [4, two, 2],
        [5, one, 3],
      ]);
      expect(notice?.sessions).toEqual(new Set([one, two]));
      expect(notice).toMatchObject({ work: true, meta: false, prompts: new Set() });
    },
  );

  behaviour('a verb that is refused is undone alone', async ({ store }) => {
    const id = await newSession(store);
    const results = await Promise.allSettled([
      say(store, id, 'a'),
      say(store, id, 'x'.repeat(300_000)),
      store.renameSession(id, '-no'),
      say(store, id, 'b'),
      say(store, 'ses_none', 'c'),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    const events = await store.events(id, { after: 0, limit: 10 });
    expect(events.map(({ id: row, seq }) => [row, seq])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    expect((await store.session(id))?.nextRef).toBe(3);
  });

  behaviour('a refused verb leaves no trace of what it had done before', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    await beginCall(store, session, step, 'c1', { do: 'grant' });
    const before = [await store.session(session), await store.effect('c1')];
    const [ended, again] = await Promise.allSettled([
      endCall(store, session, 'nope'),
      endCall(store, session, 'c1'),
    ]);
    expect([ended.status, again.status]).toEqual(['rejected', 'fulfilled']);
    expect(before).toMatchObject([{ step: { id: step } }, { state: 'started' }]);
    expect((await log(store, session)).filter((type) => type === 'call.ended')).toHaveLength(1);
  });

  behaviour('later verbs see earlier ones of the same commit', async ({ store }) => {
    const id = await newSession(store);
    const [, step] = await Promise.all([say(store, id), store.nextStep(id, terms)]);
    expect(step).toMatchObject({ kind: 'request' });
  });

  behaviour('reads see commits only', async ({ store }) => {
    const id = await newSession(store);
    const [, seen] = await Promise.all([say(store, id), store.session(id)]);
    expect(seen?.seq).toBe(1);
    expect((await store.session(id))?.seq).toBe(2);
  });

  behaviour(
    'a listener that leaves hears nothing more, one that throws disturbs nobody',
    async ({ store }) => {
      const heard: CommitNotice[] = [];
      const leave = store.onCommit((notice) => void heard.push(notice));
      store.onCommit(() => {
        throw new Error('listener');
      });
      const id = await newSession(store);
      leave();
      await say(store, id);
      expect(heard).toHaveLength(1);
    },
  );

  behaviour('a verb that changes nothing announces nothing', async ({ store, notices }) => {
    const id = await newSession(store);
    notices.length = 0;
    await store.nextStep(id, terms);
    await store.setMode(id, 'default');
    await store.expirePrompts();
    expect(notices).toEqual([]);
  });

  const passed: string[] = [];
  behaviour(
    'crash points are passed before and after the commit of their verb',
    async ({ store }) => {
      passed.length = 0;
      const id = await newSession(store);
      await say(store, id);
      await begin(store, id);
      await store.interrupt(id, 'x');
      const commits = [['createSession'], ['admitWake'], ['beginStep'], ['interrupt', 'endTurn']];
      expect(passed).toEqual(
        commits.flatMap((verbs) =>
          ['before', 'after'].flatMap((side) => verbs.map((verb) => `commit.${verb} ${side}`)),
        ),
      );
    },
    { boundary: (name, side) => void passed.push(`${name} ${side}`) },
  );

  behaviour(
    'pages go backwards from the newest and forwards from a place, without gaps',
    async ({ store }) => {
      const id = await newSession(store);
      await Promise.all(Array.from({ length: 24 }, (_, n) => say(store, id, `${n}`)));
      const seqs = async (page: Parameters<typeof store.events>[1]): Promise<number[]> =>
        (await store.events(id, page)).map(({ seq }) => seq);
      expect(await seqs({ limit: 3 })).toEqual([25, 24, 23]);
      expect(await seqs({ limit: 3, before: 23 })).toEqual([22, 21, 20]);
      expect(await seqs({ limit: 3, before: 2 })).toEqual([1]);
      expect(await seqs({ limit: 3, after: 0 })).toEqual([1, 2, 3]);
      expect(await seqs({ limit: 3, after: 24 })).toEqual([25]);
      expect(await seqs({ limit: 2, after: 3, before: 6 })).toEqual([4, 5]);
      expect(await seqs({ limit: 0 })).toEqual([]);
    },
  );

  behaviour('a message is found by its id and by its wake', async ({ store }) => {
    const id = await newSession(store);
    const wake = await say(store, id, 'x', { message: 'uuid' });
    const status = { wake, settledBy: null, replies: [] };
    expect([await store.message('uuid'), await store.message(wake.id), await store.message('none')]).toEqual([
      status,
      status,
      null,
    ]);
  });

  behaviour('a second of two sessions that became runnable comes second', async ({ store, clock }) => {
    const [one, two, three] = [await newSession(store), await newSession(store), await newSession(store)];
    await say(store, two);
    clock.advance(5);
    await say(store, one);
    await say(store, three, 'x', { availableAt: clock.now() - 60_000 });
    clock.advance(5);
    await say(store, two);
    expect(await store.runnable()).toEqual([three, two, one]);
  });

  behaviour('closing stores what was called before and refuses what comes after', async (rig) => {
    const id = await newSession(rig.store);
    const last = say(rig.store, id, 'last');
    const closing = rig.store.close();
    expect(await codeOf(say(rig.store, id, 'late'))).toBe('closed');
    await Promise.all([last, closing]);
    expect(await codeOf(rig.store.session(id))).toBe('closed');
    const store = await rig.reopen();
    expect(await log(store, id)).toEqual(['message.received']);
  });

  behaviour('health counts events and knows the schema', async ({ store }) => {
    const id = await newSession(store);
    await say(store, id);
    expect(await store.health()).toMatchObject({ schema: newestSchema, events: 2, full: false });
  });
});
