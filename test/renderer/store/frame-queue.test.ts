import { expect, it } from 'vitest';
import { FrameQueue } from '../../../renderer/store/frame-queue.ts';
import { FakeClock } from '../support/fake-clock.ts';

it('Frames are given on at once when it is quiet, and together once per picture when many come', () => {
  const clock = new FakeClock();
  const given: number[][] = [];
  const queue = new FrameQueue<number>(clock, (frames) => given.push([...frames]));
  queue.push(1);
  queue.push(2);
  queue.push(3);
  const atOnce = given.length;
  clock.pass(16);
  queue.push(4);
  clock.pass(16);
  clock.pass(100);
  queue.push(5);
  expect({ atOnce, given }).toEqual({ atOnce: 1, given: [[1], [2, 3], [4], [5]] });
});
