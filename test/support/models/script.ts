import type { Json } from '../../../shared/base/json.ts';
import type { Gate } from './gate.ts';

/** One tool call of an answer; `inputText` is sent as it is (broken JSON), otherwise `input` as JSON. */
export interface ScriptedCall {
  readonly name: string;
  readonly input?: Json;
  readonly inputText?: string;
  readonly id?: string;
}

/** Figures that replace the counted ones; tokens, `input` without what was read from or written to the cache. */
export interface UsageFigures {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Why an answer ends; each wire has its own word for it. */
export type FinishReason = 'stop' | 'calls' | 'length' | 'refusal';

/** `chunk` = characters per delta; every delta passes `gate` first, which makes a trickle. */
export interface Pace {
  readonly chunk?: number;
  readonly gate?: Gate;
}

/** When to come again: whole seconds, a date, milliseconds; each becomes the header that real servers send. */
export interface RetryHint {
  readonly retryAfter?: number | Date;
  readonly retryAfterMs?: number;
}

/**
 * A step of an answer, played in order. A block of text, thinking or a call stays open until the next piece needs
 * another one, so that `cut` right after it cuts inside. Pieces that end the answer make what follows unreachable.
 */
export type Piece =
  | ({ readonly kind: 'text'; readonly text: string } & Pace)
  | ({ readonly kind: 'thinking'; readonly text: string; readonly signature?: string } & Pace)
  | ({
      readonly kind: 'calls';
      readonly calls: readonly ScriptedCall[];
      readonly interleaved?: boolean;
    } & Pace)
  | { readonly kind: 'usage'; readonly usage: Partial<UsageFigures> }
  | { readonly kind: 'finish'; readonly reason: FinishReason }
  | { readonly kind: 'start' }
  | { readonly kind: 'ping' }
  | { readonly kind: 'wait'; readonly gate: Gate }
  | { readonly kind: 'raw'; readonly data: string }
  | { readonly kind: 'malformed'; readonly data: string }
  | ({ readonly kind: 'httpError'; readonly status: number; readonly message?: string } & RetryHint)
  | { readonly kind: 'streamError'; readonly type?: string; readonly message?: string }
  | { readonly kind: 'page'; readonly status: number; readonly contentType: string; readonly body: string }
  | ({ readonly kind: 'endless'; readonly text: string; readonly upTo: 'max_tokens' | 'never' } & Pace)
  | { readonly kind: 'cut' }
  | { readonly kind: 'endEarly' }
  | { readonly kind: 'hang' };

/** An answer; the empty one is an empty answer. */
export type Script = readonly Piece[];

/** Visible text. */
export const text = (value: string, pace: Pace = {}): Piece => ({ kind: 'text', text: value, ...pace });

/** Thinking; signed by the server for this model unless a `signature` is given. OpenAI wire: reasoning_content. */
export const thinking = (value: string, options: Pace & { readonly signature?: string } = {}): Piece => ({
  kind: 'thinking',
  text: value,
  ...options,
});

/** One call for `calls`. */
export const call = (name: string, input: Json = {}, id?: string): ScriptedCall => ({
  name,
  input,
  ...(id === undefined ? {} : { id }),
});

/** A call whose input is not JSON. */
export const brokenCall = (name: string, inputText = '{"path": "/a', id?: string): ScriptedCall => ({
  name,
  inputText,
  ...(id === undefined ? {} : { id }),
});

/** Tool calls, in parallel when several. */
export const calls = (...list: readonly ScriptedCall[]): Piece => ({ kind: 'calls', calls: list });

/** Parallel calls whose input deltas alternate, as some OpenAI-compatible servers send them; in sequence on Anthropic's. */
export const interleavedCalls = (...list: readonly ScriptedCall[]): Piece => ({
  kind: 'calls',
  calls: list,
  interleaved: true,
});

/** Usage figures other than the counted ones; before `start` and all content they are in the opening event too. */
export const usage = (figures: Partial<UsageFigures>): Piece => ({ kind: 'usage', usage: figures });

/** Ends with this reason; without it: `calls` after calls, else `stop`. */
export const finish = (reason: FinishReason): Piece => ({ kind: 'finish', reason });

/** Headers and opening event now, before the first content. */
export const start = (): Piece => ({ kind: 'start' });

/** A keep-alive (`ping` event, or an SSE comment). */
export const ping = (): Piece => ({ kind: 'ping' });

/** Waits for one pass of the gate; as the first piece it also holds back the headers. */
export const wait = (gate: Gate): Piece => ({ kind: 'wait', gate });

/** These bytes, as they are. */
export const raw = (data: string): Piece => ({ kind: 'raw', data });

/** An event whose data is not JSON; the stream goes on. Not streamed: the body is not JSON. */
export const malformed = (data = '{"type": "content_block_de'): Piece => ({ kind: 'malformed', data });

/** An HTTP error in the wire's own form; ends the answer, only before anything was sent. */
export const httpError = (
  status: number,
  options: RetryHint & { readonly message?: string } = {},
): Piece => ({
  kind: 'httpError',
  status,
  ...options,
});

/** An error event in the middle of the stream, then the end. */
export const streamError = (type?: string, message?: string): Piece => ({
  kind: 'streamError',
  ...(type === undefined ? {} : { type }),
  ...(message === undefined ? {} : { message }),
});

/** An answer that is not the wire's at all: a proxy's HTML page, a wrong content type. */
export const page = (
  body = '<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>',
  {
    status = 502,
    contentType = 'text/html',
  }: { readonly status?: number; readonly contentType?: string } = {},
): Piece => ({ kind: 'page', status, contentType, body });

/** Text without end: until the request's max_tokens (then `length`), or until the client leaves. */
export const endless = (
  upTo: 'max_tokens' | 'never' = 'never',
  options: Pace & { readonly text?: string } = {},
): Piece => ({ kind: 'endless', text: 'and so on, ', upTo, ...options });

/** The socket breaks here. */
export const cut = (): Piece => ({ kind: 'cut' });

/** The response ends cleanly here, without its closing events. */
export const endEarly = (): Piece => ({ kind: 'endEarly' });

/** Nothing more comes, and the connection stays until the client leaves or the server closes. */
export const hang = (): Piece => ({ kind: 'hang' });

/** Text of about this many tokens (4 characters each), in large deltas. */
export const hugeText = (tokens = 200_000): Piece =>
  text('word '.repeat(Math.ceil((tokens * 4) / 5)), { chunk: 4000 });
