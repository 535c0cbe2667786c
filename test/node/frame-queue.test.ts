import { describe, expect, test } from 'vitest';
import { FrameQueue } from '../../electron/node/frame-queue.ts';
import { ParcelError, type Parcels } from '../../electron/node/parcels.ts';
import { ManualClock } from '../worker/support/manual-clock.ts';

interface Frame {
  readonly n: number;
}

/** A queue over parcels that fail as told; what left is in `sent`. */
function setUp() {
  const world = {
    fault: null as ParcelError | null,
    sent: [] as number[],
    faults: [] as unknown[],
    left: [] as number[],
  };
  const pack = (frame: Frame): Frame => {
    if (world.fault && frame.n >= 10) throw world.fault;
    return frame;
  };
  const clock = new ManualClock();
  const queue = new FrameQueue<Frame>({
    parcels: { pack } as unknown as Parcels,
    clock,
    post: (packed, left) => {
      world.sent.push((packed as Frame).n);
      left?.();
      return true;
    },
    overtakes: ({ n }) => n === 7,
    onFault: (error) => world.faults.push(error),
  });
  const send = (n: number): boolean => queue.send({ n }, () => world.left.push(n));
  return { world, clock, queue, send };
}

const full = new ParcelError('disk_full', 'Full.');

describe('frames', () => {
  test('leave at once and in order while there is room', () => {
    const { world, clock, send } = setUp();
    expect([[1, 10, 2].map(send), world.sent, world.left, clock.waiting]).toEqual([
      [true, true, true],
      [1, 10, 2],
      [1, 10, 2],
      0,
    ]);
  });

  test('wait in order while the disk is full, and only those that may overtake do', () => {
    const { world, clock, send } = setUp();
    world.fault = full;
    const answers = [1, 10, 2, 7, 11].map(send);
    clock.advance(3_500);
    const whileFull = [...world.sent];
    world.fault = null;
    clock.advance(1_000);
    expect([answers, whileFull, [...world.sent], [...world.left], clock.waiting, send(3)]).toEqual([
      [true, false, false, true, false],
      [1, 7],
      [1, 7, 10, 2, 11],
      [1, 7, 10, 2, 11],
      0,
      true,
    ]);
  });

  test('that can never leave throw, and the next ones leave', () => {
    const { world, send } = setUp();
    world.fault = new ParcelError('too_large', 'Too large.');
    expect(() => send(10)).toThrow(world.fault);
    expect([send(1), world.sent]).toEqual([true, [1]]);
  });

  test('that turn out never to leave after they waited break the link', () => {
    const { world, clock, send } = setUp();
    world.fault = full;
    send(10);
    world.fault = new ParcelError('parcel_not_written', 'No folder.');
    clock.advance(1_000);
    expect([world.faults, send(1), world.sent, clock.waiting]).toEqual([[world.fault], false, [], 0]);
  });
});
