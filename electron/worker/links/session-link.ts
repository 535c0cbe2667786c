import type { Cancel, Clock, StopSignal } from '../../../shared/base/ports.ts';
import type { Lease, LinkInput, LinkOutput, LinkVerb } from '../../../shared/protocol/worker-link.ts';
import type { DraftText, SessionPort } from '../agent/ports.ts';
import type { HookTerms } from '../hooks/session-hooks.ts';
import { ActivityLine } from './activity-line.ts';
import { DraftStream } from './draft-stream.ts';
import type { LinkClient } from './link-client.ts';
import type { Transport } from './transport.ts';

/** What a session's link is built on. */
export interface SessionLinkParts {
  readonly lease: Lease;
  readonly client: LinkClient;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly interrupt: StopSignal;
  /** False: nobody watches, drafts are not sent. */
  readonly drafts: boolean;
}

/** One leased session over the shared wire. */
export class SessionLink implements SessionPort {
  readonly lease: Lease;
  readonly interrupt: StopSignal;
  /** The session's hooks and mode as the daemon said last. */
  hooked: HookTerms;
  readonly #client: LinkClient;
  readonly #drafts: DraftStream | null;
  readonly #activity: ActivityLine;
  readonly #listeners = new Set<() => void>();
  #last: Promise<unknown> = Promise.resolve();

  constructor({ lease, client, transport, clock, interrupt, drafts }: SessionLinkParts) {
    const owner = { session: lease.session, lease: lease.lease };
    this.lease = lease;
    this.interrupt = interrupt;
    this.hooked = { rules: lease.hooks?.rules ?? [], mode: lease.mode };
    this.#client = client;
    this.#drafts = drafts ? new DraftStream(transport, clock, owner) : null;
    this.#activity = new ActivityLine(transport, clock, owner);
  }

  /** One unacknowledged verb at a time (design 24): the next one waits for the answer to the last. */
  ask<Verb extends LinkVerb>(verb: Verb, input: LinkInput<Verb>): Promise<LinkOutput<Verb>> {
    if (verb === 'recordReply') this.#drafts?.clear();
    const send = (): Promise<LinkOutput<Verb>> =>
      this.#client.ask(this.lease.session, this.lease.lease, verb, input);
    const answer = this.#last.then(send, send);
    this.#last = answer;
    return answer;
  }

  draft(text: DraftText): void {
    this.#drafts?.add(text);
  }

  activity(doing: string | null): void {
    this.#activity.set(doing);
  }

  background(count: number): void {
    this.#activity.background(count);
  }

  onChange(fn: () => void): Cancel {
    this.#listeners.add(fn);
    return () => this.#listeners.delete(fn);
  }

  /** The daemon says that something changed for this session. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  close(): void {
    this.#drafts?.close();
    this.#activity.close();
    this.#listeners.clear();
  }
}
