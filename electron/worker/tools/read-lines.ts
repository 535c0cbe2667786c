import { StringDecoder } from 'node:string_decoder';
import type { Clock, StopSignal } from '../../../shared/base/ports.ts';
import { readPieces } from './read-pieces.ts';

/** A part of a text file. `next` is the number of the first line that was left out; null = the end was reached. */
export interface ReadPart {
  readonly lines: readonly string[];
  readonly first: number;
  readonly next: number | null;
  /** Lines that were cut because they are very long. */
  readonly cutLines: number;
}

/** NUL bytes are looked for in this much of the beginning. */
const probeBytes = 8 * 1024;
const longestLine = 2_000;

/** Going through a file takes at most so long, ms: 20 GB from a fast disk. */
export const readLimitMs = 30_000;

/**
 * Lines from number `first` (1 = first) on, at most `limit` and `characters`; 'binary' for files with NUL bytes, 'late' when they
 * were not found in time. Memory stays small.
 */
export async function readLines(
  path: string,
  {
    first,
    limit,
    characters,
  }: { readonly first: number; readonly limit: number; readonly characters: number },
  { clock, signal }: { readonly clock: Clock; readonly signal: StopSignal },
): Promise<ReadPart | 'binary' | 'late' | 'interrupted'> {
  const window = new LineWindow(first, limit, characters);
  const decoder = new StringDecoder('utf8');
  const until = clock.monotonic() + readLimitMs;
  let stopped: 'late' | 'interrupted' | null = null;
  let binary = false;
  let begun = false;
  await readPieces(path, clock, (piece) => {
    binary = !begun && piece.subarray(0, probeBytes).includes(0);
    begun = true;
    if (!binary) window.add(decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)));
    if (clock.monotonic() > until) stopped = 'late';
    if (signal.aborted) stopped = 'interrupted';
    return !binary && !window.full && stopped === null;
  });
  if (stopped !== null && !window.full) return stopped;
  if (binary) return 'binary';
  if (!window.full) window.end(decoder.end());
  return window.part();
}

/** Collects the wanted lines out of text that arrives in pieces. */
class LineWindow {
  readonly #first: number;
  readonly #limit: number;
  readonly #characters: number;
  readonly #lines: string[] = [];
  #line = '';
  #lineLength = 0;
  #number = 1;
  #taken = 0;
  #cutLines = 0;
  #next: number | null = null;

  constructor(first: number, limit: number, characters: number) {
    this.#first = first;
    this.#limit = limit;
    this.#characters = characters;
  }

  get full(): boolean {
    return this.#next !== null;
  }

  add(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0 && !this.full; end = text.indexOf('\n', from)) {
      this.#extend(text, from, end);
      this.#close();
      from = end + 1;
    }
    if (!this.full) this.#extend(text, from, text.length);
  }

  end(text: string): void {
    this.add(text);
    if (this.#lineLength > 0 && !this.full) this.#close();
  }

  part(): ReadPart {
    return { lines: this.#lines, first: this.#first, next: this.#next, cutLines: this.#cutLines };
  }

  #extend(text: string, from: number, to: number): void {
    this.#lineLength += to - from;
    const room = longestLine - this.#line.length;
    if (room > 0) this.#line += text.slice(from, Math.min(to, from + room));
  }

  #close(): void {
    const wanted = this.#number >= this.#first;
    const noRoom = this.#lines.length >= this.#limit || this.#taken + this.#line.length > this.#characters;
    if (wanted && noRoom) {
      this.#next = this.#number;
      return;
    }
    if (wanted) this.#take();
    this.#number += 1;
    this.#line = '';
    this.#lineLength = 0;
  }

  #take(): void {
    const cut = this.#lineLength > this.#line.length;
    if (cut) this.#cutLines += 1;
    const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line;
    this.#lines.push(cut ? `${line}…` : line);
    this.#taken += line.length + 1;
  }
}
