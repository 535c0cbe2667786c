import type { Draft } from '../../../../shared/protocol/bridge.ts';
import type { SessionItem, TurnItem } from '../../../../shared/session/session-view-items.ts';
import { turnsOf, visibleItems } from '../../../../shared/viewing/visible-items.ts';
import { pageOf, type UnsentMessage, type ViewerState } from '../follow/viewer-state.ts';
import { foreignSpan, foreignSpans, type Line, type Span, span } from '../text/line.ts';
import { StreamedMarkdown } from '../text/streamed-markdown.ts';
import { indent, wrapLine, wrapLines } from '../text/wrap-line.ts';
import type { Entry } from './history-window.ts';
import type { ItemContext } from './item-context.ts';
import { itemLines, standsApart } from './item-lines.ts';

/** What stands behind every event: the reply that is being made, then what is not stored yet. */
const draftSeq = Number.MAX_SAFE_INTEGER - 1_000_000;

/** How the history is shown. */
export interface HistoryLook {
  readonly columns: number;
  readonly isDetailed: boolean;
  readonly now: number;
}

interface Laid {
  readonly key: string;
  readonly turn: TurnItem | undefined;
  readonly lines: readonly Line[];
}

/** Makes the history's entries from the viewer's state; rows of an item are laid out once for each width and view. */
export class HistoryEntries {
  readonly #laid = new WeakMap<SessionItem, Laid>();
  readonly #streamed = new StreamedMarkdown();
  #made: { readonly of: unknown[]; readonly entries: readonly Entry[] } | null = null;

  entries(state: ViewerState, look: HistoryLook): readonly Entry[] {
    const page = pageOf(state);
    const of = [page?.items, page?.draft, state.unsent, state.device, look.columns, look.isDetailed];
    if (this.#made !== null && of.every((value, index) => value === this.#made?.of[index]))
      return this.#made.entries;
    const entries = [
      ...this.#itemEntries(page?.items ?? [], state, look),
      ...this.#draftEntry(page?.draft ?? null, look),
      ...state.unsent.map((message, index) => unsentEntry(message, draftSeq + 1 + index, look.columns)),
    ];
    this.#made = { of, entries };
    return entries;
  }

  #itemEntries(items: readonly SessionItem[], state: ViewerState, look: HistoryLook): Entry[] {
    const turns = turnsOf(items, look.isDetailed);
    const context: ItemContext = { ...look, device: state.device, turn: (id) => turns.get(id) };
    const shown = visibleItems(items, look.isDetailed);
    return shown.map((item) => ({ seq: item.seq, lines: () => this.#linesOf(item, context) }));
  }

  #linesOf(item: SessionItem, context: ItemContext): readonly Line[] {
    const turn = item.kind === 'turn_end' ? context.turn(item.turn) : undefined;
    const key = `${context.columns} ${context.isDetailed} ${context.device}`;
    const known = this.#laid.get(item);
    if (known?.key === key && known.turn === turn) return known.lines;
    const own = itemLines(item, context);
    // What it looks like must not depend on what is loaded before it: older pages move nothing.
    const lines = standsApart(item) && own.length > 0 ? [[], ...own] : own;
    this.#laid.set(item, { key, turn, lines });
    return lines;
  }

  #draftEntry(draft: Draft | null, { columns, isDetailed }: HistoryLook): Entry[] {
    const parts = (draft?.parts ?? []).filter(
      ({ kind, text }) => text.trim() !== '' && (kind === 'text' || isDetailed),
    );
    if (parts.length === 0) return [];
    const lines = (): Line[] => [
      [],
      ...parts.flatMap(({ kind, text }) =>
        kind === 'text'
          ? this.#streamed.lines(text, columns)
          : wrapLines(
              foreignSpans(text, 'muted').map((part): Span[] => [part]),
              columns,
              indent(2),
            ),
      ),
      [span('…', 'accent')],
    ];
    return [{ seq: draftSeq, lines: once(lines) }];
  }
}

function once(make: () => readonly Line[]): () => readonly Line[] {
  let made: readonly Line[] | null = null;
  return () => (made ??= make());
}

/** A message that is not in the history yet, with how far it is. */
function unsentEntry({ text, stored, fault }: UnsentMessage, seq: number, columns: number): Entry {
  const own = { first: [span('> ', 'accent')], rest: indent(2).rest };
  const mark: Line =
    fault !== null
      ? [foreignSpan(`Not sent: ${fault.message} ${fault.next}`, 'bad')]
      : [span(stored ? 'Stored' : 'Not stored yet', 'muted')];
  const lines = (): Line[] => [
    [],
    ...wrapLines(
      foreignSpans(text, 'strong').map((part): Span[] => [part]),
      columns,
      own,
    ),
    ...wrapLine(mark, columns, indent(2)),
  ];
  return { seq, lines: once(lines) };
}
