import type { Clock } from '../../shared/base/ports.ts';
import { isAlive } from './process-table.ts';

/** A process that is not our child can only be looked at; this often, in ms. */
const lookEveryMs = 20;

/** Resolves true when a process that is not our child has ended, false when it still runs after `timeoutMs`. */
export async function waitForExit(
  target: { readonly pid: number; readonly startTime?: string },
  timeoutMs: number,
  clock: Clock,
): Promise<boolean> {
  const deadline = clock.monotonic() + timeoutMs;
  while (await isAlive(target.pid, target.startTime)) {
    if (clock.monotonic() >= deadline) return false;
    await new Promise<void>((resolve) => clock.after(lookEveryMs, resolve));
  }
  return true;
}
