import { errorMessage } from '../../../shared/base/errors.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import type { Runner } from '../../../shared/domain/runner.ts';
import type { Lease } from '../../../shared/protocol/worker-link.ts';
import type { SessionPort } from '../agent/ports.ts';
import type { HookTerms } from '../hooks/session-hooks.ts';
import { type DriveEnd, driveSession } from './drive-session.ts';
import type { LinkClient } from './link-client.ts';
import { SessionLink } from './session-link.ts';
import type { Report } from './stderr-report.ts';
import type { Transport } from './transport.ts';

/** What every leased session of this worker shares. */
export interface LeaseParts {
  readonly transport: Transport;
  readonly client: LinkClient;
  readonly clock: Clock;
  readonly report: Report;
  readonly makeRunner: (
    lease: Lease,
    port: SessionPort & { readonly hooked: HookTerms },
  ) => Runner<SessionPort>;
  /** Called when the last lease is gone after `stopAll`. */
  readonly onAllGone: () => void;
}

interface Active {
  readonly link: SessionLink;
  readonly stop: AbortController;
  readonly interrupt: AbortController;
  readonly done: Promise<void>;
}

/** The sessions this worker runs: each lease is one runner, started, told of changes, and stopped here. */
export class Leases {
  readonly #parts: LeaseParts;
  readonly #active = new Map<string, Active>();
  #stopping = false;
  drafts = true;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  /** Takes a session. An older lease on it is ended first: two runners never work on one session. */
  take(lease: Lease): void {
    const { session } = lease;
    const older = this.#active.get(session);
    older?.stop.abort();
    older?.interrupt.abort();
    const stop = new AbortController();
    const interrupt = new AbortController();
    const { client, transport, clock } = this.#parts;
    const link = new SessionLink({
      lease,
      client,
      transport,
      clock,
      interrupt: interrupt.signal,
      drafts: this.drafts,
    });
    if (this.#stopping) stop.abort();
    const done = (older?.done ?? Promise.resolve()).then(() => this.#run(lease, link, stop.signal));
    const active = { link, stop, interrupt, done };
    this.#active.set(session, active);
    void done.then(() => this.#gone(session, active));
  }

  /** Lets go of a session: after its running call, or at once with `interrupt`. Other leases are left alone. */
  release(session: string, lease: string, interrupt: boolean): void {
    const active = this.#find(session, lease);
    active?.stop.abort();
    if (interrupt) active?.interrupt.abort();
  }

  changed(session: string, lease: string): void {
    this.#find(session, lease)?.link.changed();
  }

  /** What holds from the next event on. */
  hooksChanged(session: string, lease: string, terms: HookTerms): void {
    const active = this.#find(session, lease);
    if (active) active.link.hooked = terms;
  }

  /** No new steps; every session is let go after its running call. */
  stopAll(): void {
    this.#stopping = true;
    for (const { stop } of this.#active.values()) stop.abort();
    if (this.#active.size === 0) this.#parts.onAllGone();
  }

  #find(session: string, lease: string): Active | undefined {
    const active = this.#active.get(session);
    return active?.link.lease.lease === lease ? active : undefined;
  }

  async #run(lease: Lease, link: SessionLink, stop: AbortSignal): Promise<void> {
    const end = await this.#drive(lease, link, stop);
    link.close();
    const fault = 'fault' in end ? end.fault : undefined;
    if (fault !== undefined) this.#reportFault(lease.session, fault);
    const reason = 'reason' in end ? { reason: end.reason } : {};
    const { session } = lease;
    this.#parts.transport.send({ type: 'released', session, lease: lease.lease, why: end.why, ...reason });
  }

  async #drive(lease: Lease, link: SessionLink, stop: AbortSignal): Promise<DriveEnd> {
    try {
      const runner = this.#parts.makeRunner(lease, link);
      const end = await driveSession(runner, link, stop);
      await runner.close?.();
      return end;
    } catch (fault) {
      return { why: 'failed', reason: errorMessage(fault), fault };
    }
  }

  #gone(session: string, active: Active): void {
    if (this.#active.get(session) === active) this.#active.delete(session);
    if (this.#stopping && this.#active.size === 0) this.#parts.onAllGone();
  }

  #reportFault(session: string, fault: unknown): void {
    const error =
      fault instanceof Error ? { message: fault.message, stack: fault.stack } : { message: String(fault) };
    this.#parts.report({ event: 'runner_failed', session, ...error });
  }
}
