/** Cancels a timer; calling it twice or after it fired does nothing. */
export type Cancel = () => void;

/** Time as a port. `now` is wall time in ms since 1970 (display, cron, expiry); `monotonic` is ms that never jump (time-outs). */
export interface Clock {
  now(): number;
  monotonic(): number;
  /** Like `monotonic`, but goes on while the machine sleeps; tells a clock that was set from a night. Absent: not known. */
  sinceBoot?(): number;
  /** Calls `fn` once after `ms` (monotonic). `keepAlive: false` lets the process end before it. */
  after(ms: number, fn: () => void, options?: { keepAlive?: boolean }): Cancel;
}

/** Identity and randomness as a port. */
export interface Ids {
  /** A new sortable id with its kind in front: `ses_01J...`. */
  next(prefix: string): string;
  /** Lower-case hex of `bytes` random bytes from a cryptographic source. */
  random(bytes: number): string;
}

/** Content addressing as a port: lower-case hex SHA-256 of UTF-8 text or bytes. */
export type Sha256 = (data: string | Uint8Array) => string;

/** Where a stage reports what happened; structured fields first, never secrets. */
export interface Log {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** The part of `AbortSignal` that pure code may use (any `AbortSignal` is one). */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
