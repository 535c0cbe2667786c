import type { Clock, Ids, Sha256 } from '../../../../shared/base/ports.ts';
import type { Scope } from '../../../../shared/protocol/bridge.ts';
import type { Principal } from './principal.ts';

/** How long a ticket may wait to be used (ms). */
export const ticketLifeMs = 30_000;
/** More open tickets than this: the oldest is dropped. */
const maxOpen = 256;

interface OpenTicket {
  readonly principal: Principal;
  readonly expiresAt: number;
}

/** 128 bits: nobody guesses that within the life of a ticket; a person may have to copy it out of a terminal. */
const ticketBytes = 16;

/** Hexadecimal digits as base64url, a third shorter. */
function shortText(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64url');
}

/** One-time tickets, in memory: proof that their bearer was handed them by a signed-in program a moment ago. */
export interface Tickets {
  /** `scopes` are a subset of the principal's; the caller has checked that. */
  issue(principal: Principal, scopes: readonly Scope[]): string;
  /** Whose ticket it was, once; null when unknown, used or expired. */
  redeem(ticket: string): Principal | null;
  /** Withdraws the open tickets of a device, or of the owner token (null). */
  drop(device: string | null): void;
}

/** Tickets are kept as hashes and die after `ticketLifeMs` of monotonic time. */
export function createTickets(deps: {
  clock: Pick<Clock, 'monotonic'>;
  ids: Pick<Ids, 'random'>;
  sha256: Sha256;
}): Tickets {
  const { clock, ids, sha256 } = deps;
  const open = new Map<string, OpenTicket>();
  return {
    issue({ device }, scopes) {
      const ticket = shortText(ids.random(ticketBytes));
      const expiresAt = clock.monotonic() + ticketLifeMs;
      open.set(sha256(ticket), { principal: { device, scopes: new Set(scopes) }, expiresAt });
      for (const [hash, other] of open) {
        if (open.size <= maxOpen && other.expiresAt > clock.monotonic()) break;
        open.delete(hash);
      }
      return ticket;
    },
    redeem(ticket) {
      // Found by hash: how long the search takes says nothing about the ticket itself.
      const hash = sha256(ticket);
      const found = open.get(hash);
      open.delete(hash);
      return found !== undefined && found.expiresAt > clock.monotonic() ? found.principal : null;
    },
    drop(device) {
      for (const [hash, { principal }] of open) {
        if ((principal.device?.id ?? null) === device) open.delete(hash);
      }
    },
  };
}
