import { assertNever } from '../../../../shared/base/assert-never.ts';

/** Why one request brought no whole answer. Texts are the server's, without the key. */
export type ModelFailure =
  | {
      readonly kind: 'http';
      readonly status: number;
      /** The wire's word for it (`overloaded_error`, `insufficient_quota`); '' when it gave none. */
      readonly type: string;
      readonly message: string;
      readonly retryAfterMs: number | null;
    }
  /** An error in the middle of the stream. */
  | { readonly kind: 'stream_error'; readonly type: string; readonly message: string }
  /** Nothing was asked: the address is none, or one that no request goes to (`bad port`). */
  | { readonly kind: 'address'; readonly message: string }
  /** `certain`: asking again will not help (a bad certificate). */
  | { readonly kind: 'connection'; readonly message: string; readonly certain: boolean }
  | { readonly kind: 'cut' }
  | { readonly kind: 'malformed' }
  /** Something that is no model answered: a proxy, a web server. */
  | { readonly kind: 'page'; readonly status: number; readonly contentType: string }
  | { readonly kind: 'time_out'; readonly limit: 'first_byte' | 'silence' | 'whole'; readonly ms: number }
  | { readonly kind: 'unexpected'; readonly message: string };

/** What can be done about a failure: ask again, get a new credential, shorten the conversation, or nothing. */
export type Remedy = 'again' | 'credential' | 'shorten' | 'none';

const tooLong =
  /prompt is too long|context[ _](length|window|size)|maximum context|too many (input )?tokens|input (is|was)? ?too long|request_too_large|exceeds? the (model's )?(maximum|available)/i;
/** Quotas and bills are not mended by waiting. */
const unpaid = /insufficient_quota|billing|credit balance|payment/i;
const passing = [408, 409, 425, 429];

/** The remedy for a failure; what is unknown is tried again. */
export function remedyFor(failure: ModelFailure): Remedy {
  switch (failure.kind) {
    case 'http':
      return remedyForStatus(failure.status, `${failure.type} ${failure.message}`);
    case 'stream_error':
      return remedyForType(failure.type, `${failure.type} ${failure.message}`);
    case 'page':
      return failure.status >= 500 || passing.includes(failure.status) ? 'again' : 'none';
    case 'connection':
      return failure.certain ? 'none' : 'again';
    case 'cut':
    case 'malformed':
      return 'again';
    case 'time_out':
      return failure.limit === 'whole' ? 'none' : 'again';
    case 'address':
    case 'unexpected':
      return 'none';
    default:
      return assertNever(failure, 'failure');
  }
}

function remedyForStatus(status: number, words: string): Remedy {
  if (status === 401 || status === 403) return 'credential';
  if (status === 413) return 'shorten';
  if (status === 400 || status === 422) return tooLong.test(words) ? 'shorten' : 'none';
  if (unpaid.test(words)) return 'none';
  return passing.includes(status) || (status >= 500 && status !== 501) ? 'again' : 'none';
}

function remedyForType(type: string, words: string): Remedy {
  if (tooLong.test(words)) return 'shorten';
  if (/authentication|permission/.test(type)) return 'credential';
  if (/invalid_request|not_found/.test(type) || unpaid.test(words)) return 'none';
  return 'again';
}

/** Statuses with which a server says that it did not begin: keys, names, requests it does not take, too many of them. */
const notBegun: readonly number[] = [400, 401, 403, 404, 413, 422, 429];

/** True when the server did no work for the request, so that it cost nothing. */
export function isUnspent(failure: ModelFailure): boolean {
  return failure.kind === 'address' || (failure.kind === 'http' && notBegun.includes(failure.status));
}
