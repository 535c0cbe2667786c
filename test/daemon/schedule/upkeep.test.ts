import { expect, it } from 'vitest';
import { createMemoryStore } from '../../../electron/daemon/events/memory/memory-store.ts';
import type { Store } from '../../../electron/daemon/events/port.ts';
import type { CheckReport } from '../../../electron/daemon/events/reader/job.ts';
import { Upkeep } from '../../../electron/daemon/schedule/upkeep.ts';
import { ProblemBoard } from '../../../electron/daemon/supervision/problem-board.ts';
import type { Clock } from '../../../shared/base/ports.ts';

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const dayMs = 24 * 3600 * 1000;
const sound: CheckReport = { database: [], missingBlobs: [] };

interface Cared {
  readonly time: { now: number };
  readonly store: Store;
  readonly upkeep: Upkeep;
  readonly problems: ProblemBoard;
  /** What the next check finds, or how it fails. */
  found: CheckReport | Error;
  checks: number;
  /** The timer that is armed. */
  timer: { ms: number; fire: () => void } | null;
}

function caring(): Cared {
  const time = { now: 1_800_000_000_000 };
  const cared = { time, found: sound as CheckReport | Error, checks: 0, timer: null as Cared['timer'] };
  const clock: Clock = {
    now: () => time.now,
    monotonic: () => time.now,
    after: (ms, fire) => {
      cared.timer = { ms, fire };
      return () => {
        cared.timer = null;
      };
    },
  };
  let id = 0;
  const ids = {
    next: (prefix: string) => `${prefix}_${++id}`,
    random: (bytes: number) => 'a'.repeat(bytes * 2),
  };
  const store = createMemoryStore({ clock, ids });
  const problems = new ProblemBoard(clock);
  const check = async (): Promise<CheckReport> => {
    cared.checks += 1;
    if (cared.found instanceof Error) throw cared.found;
    return cared.found;
  };
  return Object.assign(cared, {
    store,
    problems,
    upkeep: new Upkeep({ store, problems, check, clock, log: silent }),
  });
}

it('deletes unreferenced blobs once a week, never younger ones', async () => {
  const { upkeep, store, time } = caring();
  await store.setMeta('blobs_collected_at', String(time.now));
  const orphan = await store.putBlob(Buffer.from('orphan'));
  time.now += 6 * dayMs;
  const early = await upkeep.look();
  time.now += dayMs;
  const young = await store.putBlob(Buffer.from('young'));
  const due = await upkeep.look();
  expect({
    early: early.deleted,
    due: due.deleted,
    again: (await upkeep.look()).deleted,
    orphan: await store.blob(orphan),
    young: (await store.blob(young)) !== null,
  }).toEqual({ early: null, due: 1, again: null, orphan: null, young: true });
});

it('looks through a sound store once a week', async () => {
  const cared = caring();
  const first = (await cared.upkeep.look()).damage;
  cared.time.now += 6 * dayMs;
  const early = (await cared.upkeep.look()).damage;
  cared.time.now += dayMs;
  await cared.upkeep.look();
  expect([first, early, cared.checks, cared.problems.all()]).toEqual([sound, null, 2, []]);
});

it.each<[string, CheckReport, string]>([
  [
    'a broken page',
    { database: ['Tree 9 page 4: btreeInitPage() returns error code 11'], missingBlobs: ['a'] },
    'The store is damaged (Tree 9 page 4: btreeInitPage() returns error code 11).',
  ],
  [
    'a missing blob',
    { database: [], missingBlobs: ['a'] },
    'A stored file is missing from the blobs folder.',
  ],
  [
    'missing blobs',
    { database: [], missingBlobs: ['a', 'b'] },
    '2 stored files are missing from the blobs folder.',
  ],
])(
  'tells of %s until a later look finds nothing, and looks every day until then',
  async (_what, report, message) => {
    const cared = caring();
    cared.found = report;
    await cared.upkeep.look();
    cared.time.now += dayMs;
    await cared.upkeep.look();
    const told = cared.problems.all().map(({ code, message: text, next }) => ({ code, text, next }));
    cared.found = sound;
    await cared.upkeep.look();
    expect([told, cared.checks, cared.problems.all()]).toEqual([
      [
        {
          code: 'store_damaged',
          text: message,
          next: expect.stringMatching(/kairos export SESSION.*kairos restore FOLDER --replace/),
        },
      ],
      3,
      [],
    ]);
  },
);

it('tries again the next day when it could not look, and no more after a stop', async () => {
  const cared = caring();
  const first = cared.timer;
  cared.found = new Error('no reader');
  first?.fire();
  await expect.poll(() => cared.timer !== first).toBe(true);
  const second = cared.timer;
  cared.upkeep.stop();
  expect([first?.ms, second?.ms, cared.timer, cared.problems.all()]).toEqual([600_000, dayMs, null, []]);
});
