import { expect, it } from 'vitest';
import { tellStoreLoss } from '../../../electron/daemon/supervision/store-loss.ts';
import { ProblemBoard } from '../../../electron/daemon/supervision/problem-board.ts';
import { DaemonRig } from '../support/daemon-rig.ts';

const dayMs = 24 * 3600 * 1000;

/** What is told at a start that found so many events missing. */
async function toldAt(rig: DaemonRig, lostEvents: number): Promise<readonly string[]> {
  const problems = new ProblemBoard(rig.clock);
  await tellStoreLoss({ store: rig.store, lostEvents, problems, clock: rig.clock, log: rig.log });
  return problems.all().map(({ code, message }) => `${code}: ${message}`);
}

const lost = (what: string, day: number): string =>
  `store_lost: The newest ${what} lost: the database or its log was damaged or replaced by an older one (noticed 2026-${day === 30 ? '11-30' : '12-02'}T09:00:00.000Z).`;

it('tells lost events for a week, over every start, with what was lost before', async () => {
  const rig = new DaemonRig();
  const nothing = await toldAt(rig, 0);
  const first = await toldAt(rig, 1);
  rig.time.jump(2 * dayMs);
  const later = await toldAt(rig, 0);
  const more = await toldAt(rig, 4);
  rig.time.jump(6 * dayMs);
  const stillTold = (await toldAt(rig, 0)).length;
  rig.time.jump(dayMs);
  expect({ nothing, first, later, more, stillTold, over: await toldAt(rig, 0) }).toEqual({
    nothing: [],
    first: [lost('stored event is', 30)],
    later: [lost('stored event is', 30)],
    more: [lost('5 stored events are', 2)],
    stillTold: 1,
    over: [],
  });
});

it('tells it also when the disk cannot note it', async () => {
  const rig = new DaemonRig();
  rig.disk.full = true;
  expect([(await toldAt(rig, 3)).length, rig.logged.at(-1)]).toEqual([
    1,
    'error: a loss of events could not be stored',
  ]);
});
