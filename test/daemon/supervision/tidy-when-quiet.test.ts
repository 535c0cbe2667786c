import { expect, it } from 'vitest';
import { quietBeforeTidyMs, tidyWhenQuiet } from '../../../electron/daemon/supervision/tidy-when-quiet.ts';
import { ManualClock } from '../../worker/support/manual-clock.ts';

function rig() {
  const clock = new ManualClock();
  const state = { running: 0, tidied: 0, change: (): void => undefined };
  const stop = tidyWhenQuiet({
    clock,
    onLive(listener) {
      state.change = listener;
      return () => (state.change = () => undefined);
    },
    running: () => state.running,
    tidy: () => (state.tidied += 1),
  });
  const runs = (count: number): void => {
    state.running = count;
    state.change();
  };
  return { clock, state, runs, stop };
}

it('Memory is given back once after the start and once after each time in which sessions ran', () => {
  const { clock, state, runs } = rig();
  const seen: number[] = [];
  clock.advance(quietBeforeTidyMs);
  seen.push(state.tidied);
  runs(2);
  clock.advance(10 * quietBeforeTidyMs);
  seen.push(state.tidied);
  runs(0);
  clock.advance(quietBeforeTidyMs - 1);
  seen.push(state.tidied);
  clock.advance(1);
  clock.advance(100 * quietBeforeTidyMs);
  seen.push(state.tidied);
  expect(seen).toEqual([1, 1, 1, 2]);
});

it('Nothing happens while sessions follow one another, nor after it was stopped', () => {
  const { clock, state, runs, stop } = rig();
  for (let round = 0; round < 10; round += 1) {
    runs(1);
    clock.advance(1_000);
    runs(0);
    clock.advance(quietBeforeTidyMs - 1);
  }
  stop();
  clock.advance(100 * quietBeforeTidyMs);
  expect(state.tidied).toBe(0);
});
