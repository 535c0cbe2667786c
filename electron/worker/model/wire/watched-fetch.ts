import type { Cancel, Clock, StopSignal } from '../../../../shared/base/ports.ts';
import type { ModelFailure } from '../failure/model-failure.ts';
import type { ModelTimes } from '../limits.ts';

type Fetch = typeof globalThis.fetch;

/** Bytes after decompression: 128,000 tokens in pieces of their own are 40 MB; what sends more has no end. */
const longestAnswer = 128 * 1024 * 1024;
const longestRefusal = 1024 * 1024;

/** One HTTP exchange under watch: its limits of time, and what it was that answered. */
export interface Watch {
  /** For the SDK in place of `fetch`. */
  readonly fetch: Fetch;
  readonly signal: AbortSignal;
  /** What the watch ended it for; null: nothing. */
  readonly failure: ModelFailure | null;
  /** The head of a good answer has come. */
  readonly answered: boolean;
  /** Breaks what is still open and lets go of timers and signals. */
  end(): void;
}

/** Watches one exchange; it is aborted by `signal`, or when a limit of `times` passes. */
export function watchExchange(signal: StopSignal, clock: Clock, times: ModelTimes): Watch {
  const controller = new AbortController();
  let failure: ModelFailure | null = null;
  let answered = false;
  let lastSign = clock.monotonic();
  let cancelSilence: Cancel = () => undefined;
  const abort = (): void => controller.abort();
  const fail = (what: ModelFailure): void => {
    failure ??= what;
    abort();
  };
  // One timer that looks how long ago the last sign was, instead of one per piece.
  const watchSilence = (limit: 'first_byte' | 'silence', ms: number): void => {
    const left = lastSign + ms - clock.monotonic();
    if (left <= 0) return fail({ kind: 'time_out', limit, ms });
    cancelSilence = clock.after(left, () => watchSilence(limit, ms), { keepAlive: false });
  };
  const cancelWhole = clock.after(
    times.wholeMs,
    () => fail({ kind: 'time_out', limit: 'whole', ms: times.wholeMs }),
    { keepAlive: false },
  );
  watchSilence('first_byte', times.firstByteMs);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    get failure() {
      return failure;
    },
    get answered() {
      return answered;
    },
    fetch: async (input, init) => {
      // A redirect would take the key, which stands in a header of its own, to another host.
      const response = await globalThis.fetch(input, { ...init, redirect: 'manual' });
      lastSign = clock.monotonic();
      cancelSilence();
      watchSilence('silence', times.silenceMs);
      const foreign = foreignAnswer(response);
      if (foreign !== null) {
        failure ??= foreign;
        await response.body?.cancel();
        throw new Error('not the answer of a model');
      }
      answered = response.ok;
      return tapped(response, (bytes) => {
        lastSign = clock.monotonic();
        if (bytes > longestAnswer) fail({ kind: 'unexpected', message: 'its answer does not end' });
      });
    },
    end() {
      cancelSilence();
      cancelWhole();
      signal.removeEventListener('abort', abort);
      abort();
    },
  };
}

/** A page of a proxy or a web server, whatever its status; and JSON where a stream was asked for. */
function foreignAnswer(response: Response): ModelFailure | null {
  const contentType = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isPage = /html|xml/.test(contentType);
  const isNoStream = response.ok && contentType === 'application/json';
  if (!isPage && !isNoStream) return null;
  return { kind: 'page', status: response.status, contentType };
}

/** The same response, telling after each piece of its body how much came; the text of a refusal is cut. */
function tapped(response: Response, onPiece: (bytes: number) => void): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, out) {
      bytes += piece.length;
      onPiece(bytes);
      if (!response.ok && bytes > longestRefusal) out.terminate();
      else out.enqueue(piece);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(tap), { status, statusText, headers });
}
