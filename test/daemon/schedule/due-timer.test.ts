import { describe, expect, it } from 'vitest';
import { DueTimer } from '../../../electron/daemon/schedule/due-timer.ts';
import { DaemonRig, startedAt } from '../support/daemon-rig.ts';

interface Setting {
  readonly rig: DaemonRig;
  readonly timer: DueTimer;
  /** Wall ms since the start at which it rang. */
  readonly rang: number[];
  readonly session: string;
}

async function setting(): Promise<Setting> {
  const rig = new DaemonRig();
  const rang: number[] = [];
  const timer = new DueTimer({
    ...rig,
    store: rig.store,
    onDue: () => void rang.push(rig.time.wall - startedAt),
  });
  const session = (await rig.session('a')).id;
  return { rig, timer, rang, session };
}

const later = (ms: number) => ({ kind: 'schedule', availableAt: startedAt + ms }) as const;

describe('the timer', () => {
  it('rings when the earliest row falls due, once for each', async () => {
    const { rig, rang, session } = await setting();
    await rig.say(session, 'second', later(90_000));
    await rig.say(session, 'first', later(5_000));
    await rig.pass(600_000);
    expect(rang).toEqual([5_000, 90_000]);
  });

  it('tells five seconds before, so that a worker can be started, and only for what needs one', async () => {
    const rig = new DaemonRig();
    const told: [string, number, readonly string[]][] = [];
    const at = (): number => rig.time.wall - startedAt;
    const { store } = rig;
    const timer = new DueTimer({
      ...rig,
      store,
      onDue: () => void told.push(['due', at(), []]),
      onSoon: (due) => void store.dueUntil(due).then((ids) => told.push(['soon', at(), ids])),
    });
    const session = (await rig.session('a')).id;
    await rig.say(session, 'x', later(30_000));
    await rig.pass(40_000);
    timer.stop();
    expect(told).toEqual([
      ['soon', 25_000, [session]],
      ['due', 30_000, []],
    ]);
  });

  it('is not set while nothing is ahead', async () => {
    const { rig, timer, rang, session } = await setting();
    await rig.say(session);
    timer.look();
    await rig.settle();
    expect([rig.time.nextAt(), rang]).toEqual([null, []]);
  });

  it('rings for a prompt that expires', async () => {
    const { rig, rang, session } = await setting();
    await rig.ask(session, 'ls', { lifeMs: 30_000 });
    await rig.pass(31_000);
    expect(rang).toEqual([30_000]);
  });

  it('rings within a minute after the machine slept past something', async () => {
    const { rig, rang, session } = await setting();
    await rig.say(session, 'x', later(9 * 3_600_000));
    await rig.settle();
    rig.time.jump(10 * 3_600_000);
    await rig.pass(60_000);
    expect(rang).toEqual([10 * 3_600_000 + 60_000]);
  });

  it('rings when the clock was set back, because times may lie ahead again', async () => {
    const { rig, rang, session } = await setting();
    await rig.say(session, 'x', later(3_600_000));
    await rig.settle();
    rig.time.jump(-86_400_000);
    await rig.pass(61_000);
    expect(rang).toHaveLength(1);
    await rig.pass(60_000);
    expect(rang).toHaveLength(1);
  });

  it.each([63_072_000_000, -63_072_000_000])(
    'keeps the length of what runs when the clock is set by %d ms',
    async (ms) => {
      const rig = new DaemonRig();
      const clock = { ...rig.clock, sinceBoot: () => rig.time.mono };
      const { store } = rig;
      const timer = new DueTimer({ ...rig, store, clock, onDue: () => void store.expirePrompts() });
      const session = (await rig.session('a')).id;
      const old = await rig.ask(session, 'ls', { lifeMs: 600_000 });
      await rig.pass(1_000);
      rig.time.jump(ms);
      const young = await rig.ask((await rig.session('b')).id, 'ls', { lifeMs: 600_000 });
      await rig.pass(120_000);
      const states = async () => [
        (await store.prompt(old.prompt))?.state,
        (await store.prompt(young.prompt))?.state,
      ];
      const early = await states();
      await rig.pass(500_000);
      timer.stop();
      expect([early, await states()]).toEqual([
        ['open', 'open'],
        ['expired', 'expired'],
      ]);
    },
  );

  it('makes a set clock good also while commits come faster than it rings, and before a verdict', async () => {
    const rig = new DaemonRig();
    const clock = { ...rig.clock, sinceBoot: () => rig.time.mono };
    const { store } = rig;
    const timer = new DueTimer({ ...rig, store, clock, onDue: () => void store.expirePrompts() });
    const busy = (await rig.session('busy')).id;
    const asked = await rig.ask((await rig.session('a')).id, 'ls', { lifeMs: 20_000 });
    await rig.pass(1_000);
    rig.time.jump(63_072_000_000);
    await timer.checkClock();
    const before = (await store.prompt(asked.prompt))?.expiresAt;
    rig.time.jump(-126_144_000_000);
    for (let round = 0; round < 6; round += 1) {
      await rig.say(busy);
      await rig.pass(4_000);
    }
    timer.stop();
    expect([before, (await store.prompt(asked.prompt))?.state]).toEqual([
      startedAt + 20_000 + 63_072_000_000,
      'expired',
    ]);
  });

  it('does not ring without end for a row that cannot be cleared now', async () => {
    const { rig, rang, session } = await setting();
    await rig.ask(session, 'ls', { lifeMs: 1000 });
    await rig.pass(181_000);
    expect(rang).toEqual([1000, 61_000, 121_000, 181_000]);
  });

  it('is silent after its stop', async () => {
    const { rig, timer, rang, session } = await setting();
    await rig.say(session, 'x', later(5_000));
    await rig.settle();
    timer.stop();
    await rig.say(session, 'y', later(6_000));
    await rig.pass(60_000);
    expect(rang).toEqual([]);
  });

  it('goes on after the store failed to answer', async () => {
    const { rig, timer, rang, session } = await setting();
    const real = rig.store.nextDue;
    rig.store.nextDue = () => Promise.reject(new Error('locked'));
    await rig.say(session, 'x', later(30_000));
    timer.look();
    await rig.settle();
    rig.store.nextDue = real;
    await rig.pass(61_000);
    expect([rang.length > 0, rig.logged[0]]).toEqual([true, 'error: next due row could not be read']);
  });
});
