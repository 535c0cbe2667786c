import { randomBytes } from 'node:crypto';
import type { RetryHint } from './script.ts';

/** An id as model servers make them: the prefix and 24 letters or digits. */
export function newId(prefix: string): string {
  return prefix + randomBytes(12).toString('hex');
}

/** The headers that tell when to come again. */
export function retryHeaders({ retryAfter, retryAfterMs }: RetryHint): Record<string, string> {
  return {
    ...(retryAfter === undefined
      ? {}
      : { 'retry-after': retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter) }),
    ...(retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) }),
  };
}

/** Cuts a text into pieces of `size` UTF-16 units that never split a character; the empty text gives none. */
export function* piecesOf(text: string, size: number): Iterable<string> {
  let from = 0;
  while (from < text.length) {
    let to = Math.min(text.length, from + Math.max(1, size));
    const last = text.charCodeAt(to - 1);
    if (last >= 0xd800 && last <= 0xdbff && to < text.length) to += 1;
    yield text.slice(from, to);
    from = to;
  }
}
