import type { DeviceRow } from '../../events/rows.ts';

/** A window that nobody used for so long is removed (wall ms). */
export const unusedWindowMs = 30 * 24 * 60 * 60 * 1000;
/** One maker has at most so many windows beside those that are connected: the one unused for longest makes room. */
export const windowsPerMaker = 20;

type Window = Pick<DeviceRow, 'id' | 'madeBy' | 'window' | 'createdAt' | 'lastSeen' | 'revokedAt'>;

/** When a device was used last, as far as it was noted. */
function usedAt({ lastSeen, createdAt }: Window): number {
  return Math.max(lastSeen ?? 0, createdAt);
}

/**
 * The windows whose rows go: unused (or ended) for 30 days, and beyond 20 per maker those that were not used for longest. Windows
 * that are connected are in use whatever was noted.
 */
export function windowsToRemove(
  all: Iterable<Window>,
  { now, connected }: { readonly now: number; readonly connected: ReadonlySet<string> },
): readonly string[] {
  const idle = [...all].filter(({ id, window }) => window && !connected.has(id));
  const lastEvent = (window: Window): number => Math.max(usedAt(window), window.revokedAt ?? 0);
  const removed = new Set(idle.filter((window) => now - lastEvent(window) > unusedWindowMs));
  const kept = idle.filter((window) => window.revokedAt === null && !removed.has(window));
  kept.sort((left, right) => usedAt(right) - usedAt(left));
  const perMaker = new Map<string | null, number>();
  for (const window of kept) {
    const count = (perMaker.get(window.madeBy) ?? 0) + 1;
    perMaker.set(window.madeBy, count);
    if (count > windowsPerMaker) removed.add(window);
  }
  return [...removed].map(({ id }) => id);
}
