import type { Clock } from '../../../../shared/base/ports.ts';
import { olderThan } from '../../../../shared/session/session-view.ts';
import { pageOf, type ViewerActs, type ViewerState } from '../follow/viewer-state.ts';
import type { Key } from '../terminal/key.ts';
import { foreignSpan, type Line, span } from '../text/line.ts';
import { HistoryEntries } from './entries.ts';
import { type Entry, historyWindow, type Place, scrolled } from './history-window.ts';

/** Pages that are loaded on opening where one does not fill the screen (behaviour 3). */
const mostChained = 10;
/** Wider lines are hard to read. */
const widest = 100;
/** Older pages are asked for when fewer entries than this are above the screen. */
const margin = 20;
/** Loading is said when it takes longer, ms. */
const patienceMs = 300;

/** The history on the screen: follows at its end, and anywhere else keeps its row at the top, whatever is added. */
export class History {
  readonly #viewer: ViewerActs & { readonly state: ViewerState };
  readonly #clock: Clock;
  readonly #made = new HistoryEntries();
  #place: Place = { kind: 'end' };
  #isDetailed = false;
  #size = { columns: 80, height: 20 };
  #seenSeq = -1;
  #newest = -1;
  #chained = 0;

  constructor(viewer: ViewerActs & { readonly state: ViewerState }, clock: Clock) {
    this.#viewer = viewer;
    this.#clock = clock;
  }

  get isDetailed(): boolean {
    return this.#isDetailed;
  }

  toggleDetail(): void {
    this.#isDetailed = !this.#isDetailed;
  }

  toEnd(): void {
    this.#place = { kind: 'end' };
  }

  #entries(): readonly Entry[] {
    const columns = Math.min(this.#size.columns, widest);
    return this.#made.entries(this.#viewer.state, {
      columns,
      isDetailed: this.#isDetailed,
      now: this.#clock.now(),
    });
  }

  /** The rows in sight. Asks for older pages when the beginning of what is loaded comes near. */
  rows(size: { columns: number; height: number }): readonly Line[] {
    this.#size = size;
    const entries = this.#entries();
    const window = historyWindow(entries, this.#place, size.height);
    if (window.isAtEnd) {
      this.#place = { kind: 'end' };
      this.#seenSeq = this.#lastSeq(entries);
    }
    this.#newest = window.newestSeq;
    const missing = size.height - window.rows.length;
    this.#wantOlder(window.top.index, missing > 0);
    if (missing <= 0) return window.rows;
    // A conversation that does not fill the screen begins at its top; what leads there says what is before it.
    return [...this.#beginning(), ...window.rows].slice(-size.height);
  }

  #lastSeq(entries: readonly Entry[]): number {
    return entries.at(-1)?.seq ?? -1;
  }

  #wantOlder(above: number, isUnfilled: boolean): void {
    const page = pageOf(this.#viewer.state);
    if (page === undefined || olderThan(page) === null || this.#viewer.state.older.kind !== 'none') return;
    if (isUnfilled && this.#place.kind === 'end') {
      if (this.#chained >= mostChained) return;
      this.#chained += 1;
      return this.#viewer.loadOlder();
    }
    if (this.#place.kind === 'row' && above < margin) this.#viewer.loadOlder();
  }

  #beginning(): Line[] {
    const page = pageOf(this.#viewer.state);
    if (page === undefined) return [];
    if (olderThan(page) !== null) return [];
    return page.items.some(({ kind }) => kind === 'message_in' || kind === 'message_out')
      ? []
      : [[span('Nothing here yet. Leave with Ctrl+C, work goes on.', 'muted')], []];
  }

  /** Scrolling keys; false when the key is none. `arrows`: Up and Down scroll too. */
  key(key: Key, arrows: boolean): boolean {
    const page = Math.max(1, this.#size.height - 2);
    if (key.kind === 'wheel') return this.#by(key.rows);
    if (key.kind !== 'named') return false;
    switch (key.name) {
      case 'pageup':
        return this.#by(-page);
      case 'pagedown':
        return this.#by(page);
      case 'home':
        return this.#by(Number.NEGATIVE_INFINITY);
      case 'end':
        this.toEnd();
        return true;
      case 'up':
        return arrows && this.#by(-1);
      case 'down':
        return arrows && this.#by(1);
      default:
        return false;
    }
  }

  #by(rows: number): true {
    const entries = this.#entries();
    // Home goes to the first loaded row; older ones come in above it.
    const delta = Number.isFinite(rows) ? rows : -1e9;
    this.#place = scrolled(entries, this.#place, this.#size.height, delta);
    if (rows < 0 && this.#viewer.state.older.kind === 'failed') this.#viewer.loadOlder();
    return true;
  }

  /** What the row below the history says: how much is new, or that older rows are on their way. */
  ruleWords(isFocused: boolean): Line | null {
    const { older } = this.#viewer.state;
    if (older.kind === 'failed' && this.#place.kind === 'row')
      return [foreignSpan(`Older messages did not load: ${older.fault.message} PgUp tries again.`, 'bad')];
    if (older.kind === 'loading' && this.#clock.monotonic() - older.since > patienceMs)
      return [span('Loading history…', 'muted')];
    if (this.#place.kind === 'end') return isFocused ? [span('History: c copies, Esc back', 'accent')] : null;
    const below = this.#entries().filter(({ seq }) => seq > this.#seenSeq).length;
    const words = below > 0 ? `${below} new below` : 'Not at the end';
    return [
      span(words, below > 0 ? 'asking' : 'muted'),
      span(isFocused ? '  End, c copies, Esc back' : '  End', 'muted'),
    ];
  }

  /** The source of the last message of which a row is in sight: as it was written, without wraps and signs. */
  sourceInSight(): string | null {
    const item = pageOf(this.#viewer.state)?.items.findLast(
      ({ kind, seq }) => seq <= this.#newest && (kind === 'message_in' || kind === 'message_out'),
    );
    return item?.kind === 'message_in' || item?.kind === 'message_out' ? item.text : null;
  }
}
