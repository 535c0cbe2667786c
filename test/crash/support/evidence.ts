import type { ExportedEvent } from '../../support/real/kairos.ts';

/** A message whose storing was acknowledged. */
export interface Acknowledged {
  readonly uuid: string;
  readonly session: string;
}

/** A verdict that was acknowledged as accepted. */
export interface AcceptedVerdict {
  readonly code: string;
  readonly behavior: string;
}

/** One line that the platform stand-in printed when it was asked to send. */
export interface PlatformCopy {
  readonly effect: string;
  readonly key: string;
  readonly surface: string;
  readonly chat: string;
  readonly text: string;
}

/** Everything that can be seen from outside: logs as `kairos export` prints them, proof files, the platform's own log. */
export interface Evidence {
  readonly logs: ReadonlyMap<string, readonly ExportedEvent[]>;
  readonly acknowledged: readonly Acknowledged[];
  readonly accepted: readonly AcceptedVerdict[];
  /** Lines of the ledger file: each command appends one line that is its own. */
  readonly ledger: readonly string[];
  readonly platform: readonly PlatformCopy[];
  /** Reasons (codes) for which a session may be parked. Default none: one crash must not park anything. */
  readonly parkingAllowed?: readonly string[];
}

/** What the oracle found. `problems` empty = the promise was kept. */
export interface Findings {
  readonly problems: readonly string[];
  readonly messages: number;
  readonly lost: number;
  readonly doubled: number;
  /** Calls and deliveries whose outcome is not known and marked as such. */
  readonly unknown: number;
  readonly calls: number;
}

/** The command ids (`c-...`) in a text. */
export function commandIds(text: string): readonly string[] {
  return text.match(/\bc-[a-z0-9-]+\b/g) ?? [];
}
