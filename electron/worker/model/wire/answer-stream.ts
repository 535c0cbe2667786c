import { isObject } from '../../../../shared/base/json.ts';
import type { Clock } from '../../../../shared/base/ports.ts';
import type { ModelWire } from '../../../../shared/domain/models.ts';
import { mendUsage, type Told } from './mend-usage.ts';

/** What an answer is read with. */
export interface AnswerWatch {
  readonly wire: Exclude<ModelWire, 'offline'>;
  readonly clock: Clock;
  readonly told: Told;
  /** After each piece: bytes so far, and whether it held more than signs of life. */
  readonly onPiece: (bytes: number, hasContent: boolean) => void;
}

/** A server that has said its last word mostly closes in the same instant; its connection can then be used again. */
const closingMs = 200;

/**
 * The events of an answer as its provider's reader gets them: up to the one that makes it whole, whatever comes after it, and with
 * counts that can be read. A break after that event is none.
 */
export function answerStream(
  body: ReadableStream<Uint8Array>,
  watch: AnswerWatch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const lines = new Lines(watch);
  return new ReadableStream<Uint8Array>({
    async pull(out) {
      for (;;) {
        const { done, value } = await reader.read();
        const text = done ? lines.rest() : lines.add(value);
        if (text !== '') out.enqueue(new TextEncoder().encode(text));
        if (lines.isWhole && !done) await closed(reader, watch.clock);
        if (done || lines.isWhole) return out.close();
        if (text !== '') return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Lets the server close for a moment, reading past what it still says, then breaks the connection. */
async function closed(reader: ReadableStreamDefaultReader<Uint8Array>, clock: Clock): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancelLate = clock.after(closingMs, resolve, { keepAlive: false });
  let isLate = false;
  const ended = (async () => {
    while (!isLate && !(await reader.read()).done);
  })();
  // A break counts as the end: the answer is whole.
  await Promise.race([ended.catch(() => undefined), late]);
  cancelLate();
  isLate = true;
  await reader.cancel().catch(() => undefined);
}

/** No line that is looked into is longer (characters). */
const longestLine = 1024 * 1024;

/** Lines of a stream of events; a line is handed on when it is whole, or too long to be of interest here. */
class Lines {
  readonly #watch: AnswerWatch;
  readonly #decoder = new TextDecoder();
  #begun: string[] = [];
  #begunLength = 0;
  /** The beginning of this line was handed on. */
  #isLong = false;
  #bytes = 0;
  isWhole = false;

  constructor(watch: AnswerWatch) {
    this.#watch = watch;
  }

  add(piece: Uint8Array): string {
    this.#bytes += piece.length;
    const [first = '', ...others] = this.#decoder.decode(piece, { stream: true }).split('\n');
    this.#begun.push(first);
    this.#begunLength += first.length;
    const last = others.pop();
    const whole = last === undefined ? [] : [this.#taken(last), ...others];
    const hasContent = this.#isLong || whole.some(isContent);
    const text = this.#through(whole) + (this.#begunLength > longestLine ? this.#long() : '');
    this.#watch.onPiece(this.#bytes, hasContent);
    return text;
  }

  /** What came after the last line's end. */
  rest(): string {
    return this.isWhole ? '' : this.#through([this.#taken('') + this.#decoder.decode()]);
  }

  /** The line so far; `next` begins the one after it. */
  #taken(next: string): string {
    const line = this.#begun.join('');
    this.#begun = [next];
    this.#begunLength = next.length;
    return line;
  }

  #long(): string {
    this.#isLong = true;
    return this.#taken('');
  }

  #through(lines: readonly string[]): string {
    let text = '';
    for (const line of lines) {
      const event = this.#isLong ? null : eventIn(line, this.#watch.wire);
      this.#isLong = false;
      const mended = isObject(event) ? mendUsage(this.#watch.wire, event, this.#watch.told) : null;
      text += mended === null ? `${line}\n` : `data: ${JSON.stringify(mended)}\n`;
      if (event !== 'end' && !(isObject(event) && event['type'] === 'message_stop')) continue;
      this.isWhole = true;
      return `${text}\n`;
    }
    return text;
  }
}

const isContent = (line: string): boolean => line.startsWith('data:') && !/"type"\s*:\s*"ping"/.test(line);

const worthReading = { anthropic: /"message_(start|delta|stop)"/, openai: /"usage"/ };

/** The JSON of a line that is of interest here, `end` for the OpenAI wire's last one, else null. */
function eventIn(line: string, wire: Exclude<ModelWire, 'offline'>): unknown {
  if (!line.startsWith('data:')) return null;
  const data = line.slice('data:'.length).trim();
  if (wire === 'openai' && data === '[DONE]') return 'end';
  if (!worthReading[wire].test(data)) return null;
  try {
    return JSON.parse(data) as unknown;
  } catch {
    // Told as malformed by the reader that needs it.
    return null;
  }
}
