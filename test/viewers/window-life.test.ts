import { expect, test } from 'vitest';
import { windowsToRemove } from '../../electron/daemon/viewers/access/window-life.ts';

const dayMs = 24 * 3600 * 1000;
const now = 1000 * dayMs;
const nobody = new Set<string>();

/** `ageDays`: since it was used last. */
function device(id: string, ageDays: number, change: Record<string, unknown> = {}) {
  const lastSeen = now - ageDays * dayMs;
  return { id, madeBy: null, window: true, createdAt: 0, lastSeen, revokedAt: null, ...change };
}

test('A window goes when it was unused for 30 days, one that is connected and one that is no window stay.', () => {
  const all = [
    device('used', 29),
    device('unused', 31),
    device('connected', 31),
    device('phone', 400, { window: false }),
    device('never used', 0, { lastSeen: null, createdAt: now - 31 * dayMs }),
    device('ended lately', 40, { revokedAt: now - dayMs }),
    device('ended', 40, { revokedAt: now - 31 * dayMs }),
  ];
  const removed = windowsToRemove(all, { now, connected: new Set(['connected']) });
  expect(removed).toEqual(['unused', 'never used', 'ended']);
});

test('Beyond 20 windows of one maker the one unused for longest goes; another maker has 20 of its own.', () => {
  const ofOwner = Array.from({ length: 22 }, (_, index) => device(`owner ${index}`, (index * 7) % 22));
  const ofPhone = Array.from({ length: 20 }, (_, index) => device(`phone ${index}`, index, { madeBy: 'p' }));
  const oldest = ofOwner.filter(({ lastSeen }) => lastSeen <= now - 20 * dayMs).map(({ id }) => id);
  const removed = windowsToRemove([...ofOwner, ...ofPhone], { now, connected: nobody });
  expect([removed.toSorted(), oldest.length]).toEqual([oldest.toSorted(), 2]);
});

test('Connected windows take no place of the 20, and a clock that was set back removes nothing.', () => {
  const all = Array.from({ length: 25 }, (_, index) => device(`w${index}`, -index));
  const connected = new Set(all.slice(0, 5).map(({ id }) => id));
  expect([
    windowsToRemove(all, { now, connected }),
    windowsToRemove(all.slice(0, 20), { now, connected: nobody }),
  ]).toEqual([[], []]);
});
