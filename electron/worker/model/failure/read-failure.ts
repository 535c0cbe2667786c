import { isObject } from '../../../../shared/base/json.ts';
import { withoutKey } from '../../../node/without-key.ts';
import type { ModelFailure } from './model-failure.ts';
import { retryAfterMs } from './retry-after.ts';

/** Where a failed request had come to. */
export interface FailedAt {
  /** The head of a good answer had come. */
  readonly answered: boolean;
  readonly secret: string | null;
  /** Wall ms. */
  readonly now: number;
}

/** Codes that another try will not change. */
const certainCodes =
  /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_INVALID_URL|EPROTO|ERR_SSL)|certificate/i;

/** What `fetch` says of addresses that it does not ask. */
const noAddress =
  /^bad port$|^unknown scheme$|invalid url|failed to parse url|not supported.*protocol|scheme must be/i;

/** Reads what the SDK threw or sent as an error. Its own request and the secret never get into the failure. */
export function readFailure(error: unknown, at: FailedAt): ModelFailure {
  const status = numberIn(error, 'statusCode');
  if (!at.answered && status !== null) return httpFailure(error, status, at);
  const name = error instanceof Error ? error.name : '';
  if (/JSONParse|TypeValidation/.test(name)) return { kind: 'malformed' };
  if (/InvalidResponseData|NoOutputGenerated|EmptyResponseBody/.test(name)) return { kind: 'cut' };
  const told = toldError(error);
  if (at.answered && told !== null) {
    const message = withoutKey(told.message, at.secret);
    return { kind: 'stream_error', type: told.type, message };
  }
  const root = rootMessage(error);
  if (!at.answered && noAddress.test(root)) return { kind: 'address', message: withoutKey(root, at.secret) };
  const network = networkCode(error);
  if (network !== null) {
    if (at.answered) return { kind: 'cut' };
    const message = withoutKey(rootMessage(error), at.secret);
    return { kind: 'connection', message, certain: certainCodes.test(network) };
  }
  if (at.answered) return { kind: 'malformed' };
  return { kind: 'unexpected', message: withoutKey(messageOf(error), at.secret) };
}

function httpFailure(error: unknown, status: number, { secret, now }: FailedAt): ModelFailure {
  const headers = isObject(error) && isObject(error['responseHeaders']) ? error['responseHeaders'] : {};
  return {
    kind: 'http',
    status,
    type: toldError(error)?.type ?? '',
    message: withoutKey(toldError(error)?.message ?? messageOf(error), secret),
    retryAfterMs: retryAfterMs(headers as Record<string, string>, now),
  };
}

/** The `{type, message}` that both wires put into the body of an error, wherever the SDK keeps it. */
function toldError(error: unknown): { readonly type: string; readonly message: string } | null {
  if (!isObject(error)) return null;
  const data = isObject(error['data']) ? error['data'] : {};
  const inner = isObject(data['error']) ? data['error'] : data;
  const isPlain = !(error instanceof Error);
  const from = [inner, error].find(
    (each) => typeof each['message'] === 'string' && (isPlain || typeOf(each) !== ''),
  );
  return from === undefined ? null : { type: typeOf(from), message: String(from['message']) };
}

function typeOf(told: Record<string, unknown>): string {
  return [told['type'], told['code']].filter((each) => typeof each === 'string').join(' ');
}

/** The code of the innermost network error; '' for one without code, null when it is none. */
function networkCode(error: unknown): string | null {
  const chain = causes(error);
  const code = chain.map((each) => each['code']).findLast((each) => typeof each === 'string');
  if (typeof code === 'string') return code;
  const isNetwork = chain.some((each) =>
    /terminated|fetch failed|socket|Cannot connect/i.test(String(each['message'])),
  );
  return isNetwork ? '' : null;
}

function causes(error: unknown): Record<string, unknown>[] {
  const chain: Record<string, unknown>[] = [];
  for (let each = error; isObject(each) && chain.length < 8; each = each['cause']) chain.push(each);
  return chain;
}

function rootMessage(error: unknown): string {
  return messageOf(causes(error).at(-1) ?? error);
}

function messageOf(error: unknown): string {
  if (isObject(error) && typeof error['message'] === 'string') return error['message'];
  return typeof error === 'string' ? error : 'no reason was given';
}

function numberIn(error: unknown, key: string): number | null {
  const value = isObject(error) ? error[key] : undefined;
  return typeof value === 'number' ? value : null;
}
