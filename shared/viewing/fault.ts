/** Why the daemon did not do something, in its own words; `status` 0: nobody answered. */
export interface Fault {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

/** An answer of the daemon, or why there is none. */
export type Asked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: Fault };

/** True where the same request may succeed later without anybody doing something about it. */
export function isPassing({ status }: Fault): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** True when the daemon was not reached at all. */
export function isUnreached({ status }: Fault): boolean {
  return status === 0;
}
