import { describe, expect } from 'vitest';
import type { Store } from '../../electron/daemon/events/port.ts';
import type { WakeRow } from '../../electron/daemon/events/rows.ts';
import { begin, newSession, reply, textPart } from '../store/support/acts.ts';
import { behaviour } from './store-rig.ts';

/** Something outside that gives sessions reasons to run. */
export interface WakeSource {
  /** Hands its `n`th reason over, to run not before `at` (wall ms; default now); again with the same `n` after a crash. */
  give(store: Store, session: string, n: number, at?: number): Promise<{ wake: WakeRow; duplicate: boolean }>;
}

/** Texts of the wakes that the session's next step takes. */
async function taken(store: Store, session: string): Promise<string[]> {
  const step = await begin(store, session);
  const events = await store.events(session, { after: 0, limit: 1000 });
  return step.wakes.flatMap((wake) =>
    events.flatMap((event) =>
      event.type === 'message.received' && event.body.wake === wake ? [event.body.text] : [],
    ),
  );
}

/** What every source of wakes can rely on, over every store. */
export function wakeConformance(name: string, source: WakeSource): void {
  describe(`${name} as a source of wakes`, () => {
    admission(source);
    turns(source);
  });
}

function admission(source: WakeSource): void {
  behaviour('runs once however often it is given, also after a crash', async (rig) => {
    const session = await newSession(rig.store);
    const first = await source.give(rig.store, session, 1);
    const again = await source.give(rig.store, session, 1);
    const store = await rig.crash();
    const after = await source.give(store, session, 1);
    expect({
      duplicates: [first.duplicate, again.duplicate, after.duplicate],
      same: again.wake.id === first.wake.id && after.wake.id === first.wake.id,
      taken: await taken(store, session),
    }).toEqual({ duplicates: [false, true, true], same: true, taken: ['reason 1'] });
  });

  behaviour('waits for its time and is found by the one timer', async ({ store, clock }) => {
    const session = await newSession(store);
    const at = clock.now() + 5_000;
    await source.give(store, session, 1, at);
    const before = [
      await store.runnable(),
      await store.nextDue(),
      (await store.nextStep(session, idleTerms)).kind,
    ];
    clock.advance(5_000);
    expect([before, await store.runnable(), await taken(store, session)]).toEqual([
      [[], at, 'idle'],
      [session],
      ['reason 1'],
    ]);
  });
}

function turns(source: WakeSource): void {
  behaviour('is taken in the order in which it was stored, each in its own turn', async ({ store }) => {
    const session = await newSession(store);
    await Promise.all([2, 1, 3].map((n) => source.give(store, session, n)));
    const turns: string[][] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      turns.push(await taken(store, session));
      await endTurn(store, session);
    }
    expect(turns).toEqual([['reason 2'], ['reason 1'], ['reason 3']]);
  });

  behaviour('does not run while the session is paused, and is not lost by it', async ({ store }) => {
    const session = await newSession(store);
    await store.setPaused(session, true);
    await source.give(store, session, 1);
    const paused = await store.runnable();
    await store.setPaused(session, false);
    expect([paused, await taken(store, session)]).toEqual([[], ['reason 1']]);
  });

  behaviour('given during a turn runs in the next', async ({ store }) => {
    const session = await newSession(store);
    await source.give(store, session, 1);
    const first = await taken(store, session);
    await source.give(store, session, 2);
    await endTurn(store, session);
    expect([first, await taken(store, session)]).toEqual([['reason 1'], ['reason 2']]);
  });
}

/** Answers in plain text until the running turn has ended. */
async function endTurn(store: Store, session: string): Promise<void> {
  const step = (await store.session(session))?.step;
  if (!step) throw new Error('No step runs.');
  for (let next = await reply(store, session, step.id, [textPart('done')]); next.kind === 'request'; )
    next = await reply(store, session, next.step.id, [textPart('done')]);
}

const idleTerms = {
  reservation: { tokens: 0, microUsd: 0 },
  limits: { dayMicroUsd: null, sessionDayTokens: null },
  policy: 'p1',
};
