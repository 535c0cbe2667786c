import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { ClosedFiles } from './closed-files.ts';
import { type SearchPlace, foundPath, shownPath } from './search-place.ts';

/** What a search of contents gives back. */
export type GrepMode = 'content' | 'files_with_matches' | 'count';

const mostCharacters = 30_000;

/** Makes readable lines of ripgrep's records (path, NUL, rest), up to a number of lines and 30,000 characters. */
export class GrepRecords {
  readonly lines: string[] = [];
  readonly #place: SearchPlace;
  readonly #mode: GrepMode;
  readonly #limit: number;
  readonly #closed: ClosedFiles;
  #characters = 0;
  /** Why not everything is shown; null: it is. */
  more: string | null = null;

  constructor(place: SearchPlace, mode: GrepMode, limit: number, closed: ClosedFiles) {
    this.#place = place;
    this.#mode = mode;
    this.#limit = limit;
    this.#closed = closed;
  }

  /** False when no more is taken. */
  add(record: string): boolean {
    const line = this.#lineOf(record);
    if (line === null) return true;
    if (this.lines.length >= this.#limit) {
      this.more = `the first ${this.#limit} are shown, there are more: narrow the search or raise head_limit`;
      return false;
    }
    this.#characters += line.length + 1;
    if (this.#characters > mostCharacters) {
      this.more = `cut after ${mostCharacters} characters, there is more: narrow the search`;
      return false;
    }
    this.lines.push(line);
    return true;
  }

  #lineOf(record: string): string | null {
    if (record === '') return null;
    const at = record.indexOf('\0');
    const path = (at < 0 ? record : record.slice(0, at)).replace(/^\.\//, '');
    const rest = at < 0 ? '' : record.slice(at + 1).replace(/\r$/, '');
    if ((at >= 0 || this.#mode === 'files_with_matches') && this.#closed.has(foundPath(this.#place, path)))
      return null;
    switch (this.#mode) {
      case 'files_with_matches':
        return shownPath(this.#place, path);
      case 'count':
        return `${shownPath(this.#place, path)}:${rest}`;
      case 'content':
        // Without a path it is the line between groups, or a remark of ripgrep's.
        if (at < 0) return this.lines.length === 0 ? null : path;
        return `${shownPath(this.#place, path)}${/^\d+-/.test(rest) ? '-' : ':'}${rest}`;
      default:
        return assertNever(this.#mode, 'output mode');
    }
  }
}
