import type { PromptView } from '../../../../shared/domain/prompts.ts';
import type { Frame, Size } from '../terminal/frame.ts';
import { filled } from '../terminal/frame.ts';
import { fitColumns } from '../text/columns.ts';
import { fitLine, type Line, lineColumns, span, spread, type Style } from '../text/line.ts';
import type { CardState } from './card.ts';
import { buttonsLine, scrollTo } from './card.ts';
import { type CardFacts, cardRows } from './card-lines.ts';
import { fieldRows } from './composer.ts';
import { type Field, found } from './composer-keys.ts';

/** Rows that the history keeps as long as there are any. */
const leastHistory = 3;
/** Rows that a card needs to show anything that may be allowed: its title, one row of it, its buttons. */
const leastCard = 4;

/** A field ready to be put on the screen. */
export interface FieldBox {
  readonly rows: readonly Line[];
  readonly caret: { readonly x: number; readonly y: number };
}

/** The field with its mark; at most `most` rows, those around the caret. */
export function fieldBox(
  field: Field,
  sent: readonly string[],
  { columns, most, label, hint }: { columns: number; most: number; label: string; hint: string },
): FieldBox {
  if (field.search !== null) return searchBox(field.search, sent, columns);
  const { rows, row, column } = fieldRows(field.draft, Math.max(1, columns - label.length));
  const first = Math.max(0, Math.min(row - most + 1, rows.length - most));
  const shown = rows.slice(first, first + most);
  const isEmpty = field.draft.text === '';
  return {
    rows: shown.map((text, index) => [
      span(index === 0 && first === 0 ? label : ' '.repeat(label.length), 'accent'),
      isEmpty ? span(fitColumns(hint, columns - label.length - 1), 'muted') : span(text),
    ]),
    caret: { x: label.length + column, y: row - first },
  };
}

function searchBox(search: string, sent: readonly string[], columns: number): FieldBox {
  const head: Line = [span('search: ', 'accent'), span(search)];
  const hit = found(search, sent);
  const rest = hit === null ? (search === '' ? '' : '  nothing found') : `  ${hit.replaceAll(/\s+/g, ' ')}`;
  return {
    rows: [fitLine([...head, span(rest, 'muted')], columns)],
    caret: { x: Math.min(columns - 1, lineColumns(head)), y: 0 },
  };
}

/** A card with the rows of it that are in sight. */
export interface CardBox {
  readonly rows: readonly Line[];
  readonly bodyRows: number;
  readonly shownRows: number;
  /** Everything is loaded and the last row is in sight. */
  readonly isEndInSight: boolean;
}

/** A card in at most `most` rows: its title and buttons always, the rest scrolls. */
export function cardBox(
  card: CardState,
  facts: CardFacts,
  { most, isFocused }: { most: number; isFocused: boolean },
): CardBox {
  const { head, body } = cardRows(facts);
  const [title = []] = head;
  const scrolling = [...head.slice(1), ...body];
  const room = Math.max(0, most - 3);
  const isWhole = scrolling.length <= room;
  // Of two rows one says how many more there are.
  const shownRows = isWhole ? scrolling.length : Math.max(Math.min(1, room), room - 1);
  const scroll = scrollTo(card.scroll, { bodyRows: scrolling.length, shownRows });
  const left = scrolling.length - scroll - shownRows;
  const more: Line[] =
    isWhole || room < 2
      ? []
      : [fitLine([span(moreText(left, isFocused), left > 0 ? 'asking' : 'muted')], facts.columns)];
  return {
    rows: [
      ruleLine(facts.columns, 'asking', null),
      title,
      ...scrolling.slice(scroll, scroll + shownRows),
      ...more,
      fitLine(buttonsLine(card, facts.prompt, isFocused), facts.columns),
    ],
    bodyRows: scrolling.length,
    shownRows,
    isEndInSight: !facts.isPartial && shownRows > 0 && left <= 0,
  };
}

function moreText(left: number, isFocused: boolean): string {
  if (left <= 0) return '  That was all of it.';
  return `  ${left} more ${left === 1 ? 'row' : 'rows'}${isFocused ? ': PgDn' : ''}`;
}

/** A row that separates, with words in it where there is something to say. */
export function ruleLine(columns: number, style: Style, words: Line | null): Line {
  if (words === null) return [span('─'.repeat(columns), style === 'asking' ? 'asking' : 'muted')];
  const inside = fitLine(words, Math.max(1, columns - 6));
  const rest = columns - lineColumns(inside) - 4;
  return [span('── ', 'muted'), ...inside, span(` ${'─'.repeat(Math.max(0, rest))}`, 'muted')];
}

/** How many rows of a footer a screen has. */
export function footerHeight({ rows }: Size): number {
  return rows >= 12 ? 2 : rows >= 6 ? 1 : 0;
}

/** Most rows of the field: a third; while something asks it comes before long texts that are being typed. */
export function fieldHeight({ rows }: Size, hasCard: boolean): number {
  return Math.max(1, Math.min(hasCard ? 3 : 8, Math.floor(rows / 3)));
}

/** Most rows of a card: what header, rule, field and footer leave, but for a little history where there is room for both. */
export function cardHeight(size: Size, fieldRows: number): number {
  const free = size.rows - 2 - fieldRows - footerHeight(size);
  return Math.max(leastCard, free - (free >= 3 * leastCard ? leastHistory : 0));
}

/** The parts of the screen, top to bottom. */
export interface Parts {
  readonly header: Line;
  history(height: number): readonly Line[];
  readonly card: readonly Line[];
  readonly rule: Line;
  readonly field: FieldBox;
  readonly footer: Line;
  readonly hint: Line;
  readonly hasCaret: boolean;
}

/** Puts the parts together. The caret stands in the field; where keys answer something it is hidden. */
export function compose(size: Size, parts: Parts): Frame {
  const { columns, rows } = size;
  const footer = footerLines(parts, columns, footerHeight(size));
  const fixed = 2 + parts.card.length + parts.field.rows.length + footer.length;
  const height = Math.max(0, rows - fixed);
  const history = filled(parts.history(height), height);
  const above = [parts.header, ...history, ...parts.card, parts.rule];
  const caret = { x: parts.field.caret.x, y: above.length + parts.field.caret.y };
  return {
    rows: filled([...above, ...parts.field.rows, ...footer], rows),
    caret: parts.hasCaret && caret.y < rows ? caret : null,
  };
}

function footerLines({ footer, hint }: Parts, columns: number, rows: number): Line[] {
  if (rows === 0) return [];
  const isBeside = lineColumns(footer) + lineColumns(hint) + 2 <= columns;
  if (isBeside || rows === 1) return [spread(footer, hint, columns)];
  return [fitLine(footer, columns), fitLine(hint, columns)];
}

/** The prompt as it is known in full, and whether a part of it is still to come. */
export function wholePrompt(
  prompt: PromptView,
  whole: PromptView | undefined,
): { prompt: PromptView; isPartial: boolean } {
  if (prompt.previewCut !== true) return { prompt, isPartial: false };
  return whole === undefined
    ? { prompt, isPartial: true }
    : { prompt: { ...prompt, preview: whole.preview }, isPartial: false };
}
