import { describe, expect, it } from 'vitest';
import { Heartbeat } from '../../../electron/daemon/sessions/heartbeat.ts';

/** A clock whose wall and monotonic time can be moved apart. */
class TwoClocks {
  wall = 1_000_000;
  mono = 0;
  timers: { at: number; fn: () => void }[] = [];
  now = (): number => this.wall;
  monotonic = (): number => this.mono;
  after = (ms: number, fn: () => void): (() => void) => {
    const timer = { at: this.mono + ms, fn };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((each) => each !== timer);
    };
  };

  pass(ms: number, wallMs = ms): void {
    this.mono += ms;
    this.wall += wallMs;
    for (const timer of this.timers.filter(({ at }) => at <= this.mono)) {
      this.timers = this.timers.filter((each) => each !== timer);
      timer.fn();
    }
  }
}

function setUp() {
  const clock = new TwoClocks();
  const world = { pings: [] as number[], silences: 0, deaf: false };
  const beat = new Heartbeat({
    clock,
    silenceMs: 20_000,
    ping: (n) => {
      world.pings.push(n);
      if (!world.deaf) beat.heard(n);
    },
    onSilence: () => (world.silences += 1),
  });
  return { clock, world, beat };
}

describe('a worker that is asked whether it hears', () => {
  it('is asked every five seconds, once however often it is started', () => {
    const { clock, world, beat } = setUp();
    beat.start();
    beat.start();
    for (let n = 0; n < 4; n += 1) clock.pass(5_000);
    expect([world.pings, world.silences, clock.timers.length]).toEqual([[1, 2, 3, 4, 5], 0, 1]);
  });

  it('counts as silent after twenty seconds without an answer, once', () => {
    const { clock, world, beat } = setUp();
    world.deaf = true;
    beat.start();
    for (let n = 0; n < 3; n += 1) clock.pass(5_000);
    const before = world.silences;
    for (let n = 0; n < 4; n += 1) clock.pass(5_000);
    expect([before, world.silences, clock.timers.length]).toEqual([0, 1, 0]);
  });

  it('is well when it answers late, and an old answer does not count for a new question', () => {
    const { clock, world, beat } = setUp();
    world.deaf = true;
    beat.start();
    for (let n = 0; n < 3; n += 1) clock.pass(5_000);
    beat.heard(world.pings.at(-1) ?? 0);
    for (let n = 0; n < 4; n += 1) {
      clock.pass(5_000);
      beat.heard(1);
    }
    const before = world.silences;
    clock.pass(5_000);
    expect([before, world.silences]).toEqual([0, 1]);
  });

  it.each([
    ['the machine slept and monotonic time stood', 5_000, 8 * 3_600_000],
    ['the machine slept and monotonic time went on', 8 * 3_600_000, 8 * 3_600_000],
    ['the clock was set back', 5_000, -3_600_000],
  ])('has all its time again after %s', (_what, monoMs, wallMs) => {
    const { clock, world, beat } = setUp();
    world.deaf = true;
    beat.start();
    for (let n = 0; n < 3; n += 1) clock.pass(5_000);
    clock.pass(monoMs, wallMs);
    for (let n = 0; n < 3; n += 1) clock.pass(5_000);
    const before = world.silences;
    clock.pass(5_000);
    expect([before, world.silences]).toEqual([0, 1]);
  });

  it('is left alone after a stop', () => {
    const { clock, world, beat } = setUp();
    world.deaf = true;
    beat.start();
    beat.stop();
    clock.pass(60_000);
    expect([world.pings, world.silences, clock.timers]).toEqual([[1], 0, []]);
  });
});
