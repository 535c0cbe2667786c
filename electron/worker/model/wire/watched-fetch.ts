import type { Cancel, Clock, StopSignal } from '../../../../shared/base/ports.ts';
import type { ModelWire } from '../../../../shared/domain/models.ts';
import type { ModelFailure } from '../failure/model-failure.ts';
import { type ModelTimes, pingsStretch } from '../limits.ts';
import { answerStream, type AnswerWatch } from './answer-stream.ts';
import type { Told } from './mend-usage.ts';

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
  /** Which counts of tokens the answer told. */
  readonly told: Readonly<Told>;
  /** Breaks what is still open and lets go of timers and signals. */
  end(): void;
}

/** Watches one exchange over `wire`; it is aborted by `signal`, or when a limit of `times` passes. */
export function watchExchange(
  wire: Exclude<ModelWire, 'offline'>,
  signal: StopSignal,
  clock: Clock,
  times: ModelTimes,
): Watch {
  const controller = new AbortController();
  let failure: ModelFailure | null = null;
  let answered = false;
  const told: Told = { input: false, output: false };
  const abort = (): void => controller.abort();
  const fail = (what: ModelFailure): void => {
    failure ??= what;
    abort();
  };
  const silence = new SilenceWatch(clock, fail);
  const { firstByteMs, silenceMs, wholeMs: ms } = times;
  const cancelWhole = clock.after(ms, () => fail({ kind: 'time_out', limit: 'whole', ms }), {
    keepAlive: false,
  });
  silence.begin('first_byte', firstByteMs);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  const onPiece = (bytes: number, hasContent: boolean): void => {
    silence.heard(hasContent);
    if (bytes > longestAnswer) fail({ kind: 'unexpected', message: 'its answer does not end' });
  };
  return {
    signal: controller.signal,
    get failure() {
      return failure;
    },
    get answered() {
      return answered;
    },
    told,
    fetch: async (input, init) => {
      const response = await ask(input, init);
      silence.begin('silence', silenceMs);
      const foreign = foreignAnswer(response);
      if (foreign !== null) {
        failure ??= foreign;
        await response.body?.cancel();
        throw new Error('not the answer of a model');
      }
      answered = response.ok;
      return watched(response, { wire, clock, told, onPiece });
    },
    end() {
      silence.end();
      cancelWhole();
      signal.removeEventListener('abort', abort);
      abort();
    },
  };
}

async function ask(input: Parameters<Fetch>[0], init: Parameters<Fetch>[1]): Promise<Response> {
  // The only port that nobody can listen on, and that `fetch` tries all the same.
  if (new URL(input instanceof Request ? input.url : input).port === '0') throw new Error('bad port');
  // A redirect would take the key, which stands in a header of its own, to another host.
  return globalThis.fetch(input, { ...init, redirect: 'manual' });
}

/** One timer that looks how long ago the last sign was, instead of one per piece. */
class SilenceWatch {
  readonly #clock: Clock;
  readonly #fail: (failure: ModelFailure) => void;
  #lastSign = 0;
  #lastContent = 0;
  #cancel: Cancel = () => undefined;

  constructor(clock: Clock, fail: (failure: ModelFailure) => void) {
    this.#clock = clock;
    this.#fail = fail;
  }

  begin(limit: 'first_byte' | 'silence', ms: number): void {
    this.#cancel();
    this.heard(true);
    this.#look(limit, ms);
  }

  heard(hasContent: boolean): void {
    this.#lastSign = this.#clock.monotonic();
    if (hasContent) this.#lastContent = this.#lastSign;
  }

  end(): void {
    this.#cancel();
  }

  #look(limit: 'first_byte' | 'silence', ms: number): void {
    const now = this.#clock.monotonic();
    const longest = ms * pingsStretch;
    if (this.#lastSign + ms <= now) return this.#fail({ kind: 'time_out', limit, ms });
    if (this.#lastContent + longest <= now) return this.#fail({ kind: 'time_out', limit, ms: longest });
    const left = Math.min(this.#lastSign + ms, this.#lastContent + longest) - now;
    this.#cancel = this.#clock.after(left, () => this.#look(limit, ms), { keepAlive: false });
  }
}

/** A page of a proxy or a web server, whatever its status; and JSON where a stream was asked for. */
function foreignAnswer(response: Response): ModelFailure | null {
  const contentType = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isPage = /html|xml/.test(contentType);
  const isNoStream = response.ok && contentType === 'application/json';
  if (!isPage && !isNoStream) return null;
  return { kind: 'page', status: response.status, contentType };
}

/** The same response with its body read as an answer; the text of a refusal is cut. */
function watched(response: Response, watch: AnswerWatch): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const body = response.ok ? answerStream(response.body, watch) : refusalStream(response.body, watch);
  return new Response(body, { status, statusText, headers });
}

function refusalStream(
  body: NonNullable<Response['body']>,
  { onPiece }: AnswerWatch,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, out) {
      bytes += piece.length;
      onPiece(bytes, true);
      if (bytes > longestRefusal) out.terminate();
      else out.enqueue(piece);
    },
  });
  return body.pipeThrough(tap);
}
