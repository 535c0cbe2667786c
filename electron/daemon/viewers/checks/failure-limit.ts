import type { Clock } from '../../../../shared/base/ports.ts';

const perMinute = 20;
const windowMs = 60_000;
/** More remotes than this are forgotten oldest first, so that the memory is bounded. */
const maxRemotes = 1_000;

/** Counts failed sign-ins per remote address; loopback counts like any other. */
export interface FailureLimit {
  /** Counts one failure; true when this remote has failed too often in the last minute. */
  fail(remote: string): boolean;
}

/** A limit of 20 failures a minute. It is asked only about failures: a valid token never meets it. */
export function createFailureLimit(clock: Pick<Clock, 'monotonic'>): FailureLimit {
  const failures = new Map<string, number[]>();
  return {
    fail(remote) {
      const now = clock.monotonic();
      const recent = (failures.get(remote) ?? []).filter((time) => now - time < windowMs).slice(-perMinute);
      failures.delete(remote);
      failures.set(remote, [...recent, now]);
      if (failures.size > maxRemotes) failures.delete(failures.keys().next().value ?? remote);
      return recent.length >= perMinute;
    },
  };
}
