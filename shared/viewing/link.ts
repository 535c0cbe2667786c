import type { Fault } from './fault.ts';

/** How the window stands to its daemon. */
export type Link =
  /** No ticket came with the address: somebody has to open the window again. */
  | { readonly kind: 'locked' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Tried again by itself, for ever. `nobody`: not even an HTTP request was answered. */
  | { readonly kind: 'lost'; readonly attempts: number; readonly nobody: boolean }
  /** The daemon said no; trying again would not help. */
  | { readonly kind: 'refused'; readonly fault: Fault }
  /** Daemon and window speak different versions of the bridge. */
  | { readonly kind: 'outdated' };

/** Attempts after which "reconnecting" becomes "not running": about two seconds. */
const attemptsUntilGone = 4;

/** True when the daemon is most likely not there at all. */
export function isGone(link: Link): boolean {
  return link.kind === 'lost' && link.nobody && link.attempts >= attemptsUntilGone;
}
