import type { Line } from './line.ts';
import { markdownLines } from './markdown-lines.ts';

/** The place up to which a growing text cannot change its meaning any more: the last empty line outside a code fence. */
function settledLength(text: string): number {
  let settled = 0;
  let at = 0;
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
    }
    at += line.length + 1;
    // What is indented after it may still belong to a list.
    const continues = /^\s/.test(text.slice(at, at + 1));
    if (line.trim() === '' && fence === null && !continues && at < text.length) settled = at;
  }
  return settled;
}

/** Markdown that is being written: what is settled is laid out once, only its end anew with every piece. */
export class StreamedMarkdown {
  #settled = '';
  #columns = 0;
  #lines: readonly Line[] = [];

  lines(text: string, columns: number): readonly Line[] {
    const settled = text.slice(0, settledLength(text));
    if (settled !== this.#settled || columns !== this.#columns) {
      this.#lines = settled === '' ? [] : markdownLines(settled, columns);
      [this.#settled, this.#columns] = [settled, columns];
    }
    const rest = markdownLines(text.slice(settled.length), columns);
    return this.#lines.length === 0 || rest.length === 0
      ? [...this.#lines, ...rest]
      : [...this.#lines, [], ...rest];
  }
}
