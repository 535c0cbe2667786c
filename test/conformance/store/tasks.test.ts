import { describe, expect } from 'vitest';
import type { TaskEnd } from '../../../shared/domain/tasks.ts';
import {
  begin,
  beginCall,
  chat,
  endCall,
  log,
  newSession,
  okResult,
  reply,
  say,
  terms,
  textPart,
  withCalls,
} from '../../store/support/acts.ts';
import { behaviour, codeOf } from '../store-rig.ts';

const exited: TaskEnd = { how: 'exited', code: 0, signal: null, tail: 'built\n', bytes: 6 };
const newTask = (task: string) => ({
  task,
  call: 'c1',
  title: `build ${task}`,
  output: `/scratch/${task}.txt`,
});
const textsOf = async (store: Parameters<typeof log>[0], session: string): Promise<string[]> => {
  const events = await store.events(session, { after: 0, limit: 1_000 });
  return events.flatMap((event) =>
    event.type === 'message.received' && event.body.kind === 'task_ended' ? [event.body.text] : [],
  );
};

describe('background tasks', () => {
  behaviour('an end wakes the session once, in the running turn or with a turn of its own', async (rig) => {
    const { store } = rig;
    const session = await newSession(store);
    await say(store, session, 'go', { route: chat });
    const step = await begin(store, session);
    expect(await store.beginTask(session, newTask('t1'))).toBe(1);
    expect(await store.beginTask(session, newTask('t1'))).toBe(1);
    expect(await store.beginTask(session, newTask('t2'))).toBe(2);
    expect((await store.session(session))?.tasks?.running.map(({ id, route }) => [id, route])).toEqual([
      ['t1', chat],
      ['t2', chat],
    ]);
    await reply(store, session, step.id, [textPart('started')]);
    expect(await store.runnable()).toEqual([]);
    expect(await store.endTask(session, 't1', exited)).toBe(1);
    expect(await store.endTask(session, 't1', exited)).toBe(1);
    expect([await store.runnable(), await textsOf(store, session)]).toEqual([
      [session],
      [
        '[background task ended] t1: build t1\nExit code 0 after 0 s; its output is in /scratch/t1.txt\nThe last of it:\n> built',
      ],
    ]);
    const told = await begin(store, session);
    expect(await reply(store, session, told.id, [])).toEqual({ kind: 'turn_ended', turn: told.turn });
    const types = await log(store, session);
    expect(types.filter((type) => type.startsWith('task.'))).toEqual([
      'task.began',
      'task.began',
      'task.ended',
    ]);
  });

  behaviour(
    'ends that come fast are told together, a second after the one before',
    async ({ store, clock }) => {
      const session = await newSession(store);
      for (const task of ['t1', 't2', 't3']) await store.beginTask(session, newTask(task));
      const now = clock.now();
      await store.endTask(session, 't1', exited);
      const step = await begin(store, session);
      await store.endTask(session, 't2', exited);
      await store.endTask(session, 't3', exited);
      await reply(store, session, step.id, []);
      expect([await store.runnable(), await store.nextDue()]).toEqual([[], now + 1_000]);
      clock.advance(1_000);
      expect(await store.runnable()).toEqual([session]);
      expect((await begin(store, session)).wakes.length).toBe(2);
    },
  );

  behaviour(
    'a task that starts a task that ends does so sixty times an hour, not more',
    async ({ store, clock }) => {
      const session = await newSession(store);
      const began = clock.now();
      let turns = 0;
      await store.beginTask(session, newTask('t0'));
      while (clock.now() < began + 3_600_000) {
        await store.endTask(session, `t${turns}`, exited);
        const due = await store.nextDue();
        if ((await store.runnable()).length === 0) clock.advance((due ?? 0) - clock.now());
        const step = await begin(store, session);
        turns += 1;
        await store.beginTask(session, newTask(`t${turns}`));
        await reply(store, session, step.id, []);
      }
      expect(turns).toBe(61);
    },
  );

  behaviour('what the model ended itself, or could not start, wakes nobody', async ({ store }) => {
    const session = await newSession(store);
    for (const [task, how] of [
      ['t1', 'stopped'],
      ['t2', 'not_started'],
    ] as const) {
      await store.beginTask(session, newTask(task));
      expect(await store.endTask(session, task, { ...exited, how })).toBe(0);
    }
    expect([await store.runnable(), await textsOf(store, session)]).toEqual([[], []]);
  });

  behaviour(
    'what a person interrupted wakes nobody, and is told with the next message',
    async ({ store }) => {
      const session = await newSession(store);
      await store.beginTask(session, newTask('t1'));
      await store.endTask(session, 't1', { ...exited, how: 'interrupted' });
      expect(await store.runnable()).toEqual([]);
      await say(store, session, 'next');
      expect((await begin(store, session)).wakes.length).toBe(2);
      expect(await textsOf(store, session)).toEqual([
        expect.stringContaining('a person interrupted the work'),
      ]);
    },
  );

  behaviour(
    'an interrupt of a session that only waits ends its tasks; the next message tells each',
    async ({ store }) => {
      const session = await newSession(store);
      await store.beginTask(session, newTask('t1'));
      await store.beginTask(session, newTask('t2'));
      const ended = [await store.interrupt(session, 'stop'), await store.interrupt(session, 'stop')];
      const { tasks } = (await store.session(session)) ?? {};
      expect([ended, tasks?.running, await store.runnable()]).toEqual([[true, false], [], []]);
      expect(await store.endTask(session, 't1', { ...exited, how: 'interrupted' })).toBe(0);
      await say(store, session, 'next');
      await begin(store, session);
      const [text = ''] = await textsOf(store, session);
      expect(text.match(/a person interrupted the work/g)?.length).toBe(2);
    },
  );

  behaviour('tasks of a worker that is gone are told once, all in one message', async ({ store }) => {
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    await beginCall(store, session, step, 'c1', { do: 'grant' });
    await store.beginTask(session, newTask('t1'));
    await store.beginTask(session, newTask('t2'));
    await endCall(store, session, 'c1', okResult);
    await store.workerLost(session, true);
    await store.workerLost(session, true);
    const texts = await textsOf(store, session);
    expect([texts.length, texts[0]?.match(/outcome unknown/g)?.length]).toEqual([1, 2]);
    expect((await store.session(session))?.tasks?.running).toEqual([]);
    // The worker's own last word comes too late.
    expect([await store.endTask(session, 't1', exited), (await textsOf(store, session)).length]).toEqual([
      0, 1,
    ]);
  });

  behaviour('the same after a daemon that died, also for a session that had nothing to do', async (rig) => {
    const session = await newSession(rig.store);
    await rig.store.beginTask(session, newTask('t1'));
    const store = await rig.crash();
    expect(await store.recoverAll()).toEqual([{ session, unknownCalls: [], parked: false }]);
    expect(await store.recoverAll()).toEqual([]);
    const again = await rig.crash();
    expect(await again.recoverAll()).toEqual([]);
    expect([await again.runnable(), (await textsOf(again, session)).length]).toEqual([[session], 1]);
  });

  behaviour('an archived session ends its tasks, and nobody is told', async ({ store }) => {
    const session = await newSession(store);
    await store.beginTask(session, newTask('t1'));
    await store.archive(session);
    const events = await store.events(session, { after: 0, limit: 10 });
    expect([
      events.at(-1),
      await codeOf(store.endTask(session, 't1', exited)),
      await store.recoverAll(),
    ]).toEqual([
      expect.objectContaining({
        type: 'task.ended',
        body: { task: 't1', title: 'build t1', how: 'archived', code: null, signal: null },
      }),
      'not_found',
      [],
    ]);
  });

  behaviour('while paused an end waits', async ({ store }) => {
    const session = await newSession(store);
    await store.beginTask(session, newTask('t1'));
    await store.setPaused(session, true);
    await store.endTask(session, 't1', exited);
    expect([await store.runnable(), (await store.nextStep(session, terms)).kind]).toEqual([[], 'refused']);
    await store.setPaused(session, false);
    expect(await store.runnable()).toEqual([session]);
  });
});
