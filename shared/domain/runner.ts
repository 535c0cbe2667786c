import type { Cancel, StopSignal } from '../base/ports.ts';

/**
 * What runs a session's steps. Two implementations: the built-in loop (context rebuilt from events) and runners that own
 * an opaque context. Generic over the wire's types so that the domain does not depend on the protocol.
 */
export interface Runner<Port> {
  /** Runs until there is nothing to do or `signal` fires; resolves with why. Rejects only for faults of its own. */
  run(port: Port, signal: StopSignal): Promise<RunEnd>;
  /** The session is let go: ends what outlives a run; absent: nothing does. */
  close?(): Promise<void>;
}

/** Why a runner stopped: nothing to do, waiting for a person or an alarm, asked to, or it cannot go on. */
export type RunEnd =
  | { readonly why: 'idle' | 'waiting' | 'asked' }
  | { readonly why: 'refused' | 'failed'; readonly reason: string };

/** Lets a runner wait for the next change without holding anything but memory. */
export interface ChangeSignal {
  /** Calls `fn` on each change until cancelled. */
  onChange(fn: () => void): Cancel;
}
