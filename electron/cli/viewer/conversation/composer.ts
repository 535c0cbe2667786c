import { terminalText } from '../../output/foreign-text.ts';
import { columnsOf, graphemeColumns, graphemes } from '../text/columns.ts';

/** A text that is being typed; `caret` counts UTF-16 units and never stands inside a grapheme. */
export interface Draft {
  readonly text: string;
  readonly caret: number;
}

/** Nothing typed. */
export const emptyDraft: Draft = { text: '', caret: 0 };

/** A draft with the caret at its end. */
export function draftOf(text: string): Draft {
  return { text, caret: text.length };
}

/** Puts text in at the caret. Line ends of every system become one; other control characters but tabs are left out. */
export function insert({ text, caret }: Draft, typed: string): Draft {
  // oxlint-disable-next-line no-control-regex
  const clean = typed.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
  return { text: text.slice(0, caret) + clean + text.slice(caret), caret: caret + clean.length };
}

function before({ text, caret }: Draft): string {
  return graphemes(text.slice(0, caret)).at(-1) ?? '';
}

function after({ text, caret }: Draft): string {
  return graphemes(text.slice(caret))[0] ?? '';
}

/** Start of the line the caret stands in. */
function lineStart({ text, caret }: Draft): number {
  return text.lastIndexOf('\n', caret - 1) + 1;
}

function lineEnd({ text, caret }: Draft): number {
  const end = text.indexOf('\n', caret);
  return end === -1 ? text.length : end;
}

/** Start of the word before the caret. */
function wordStart({ text, caret }: Draft): number {
  return /\S*\s*$/.exec(text.slice(0, caret))?.index ?? 0;
}

function wordEnd({ text, caret }: Draft): number {
  return caret + (/^\s*\S*/.exec(text.slice(caret))?.[0].length ?? 0);
}

function cut({ text }: Draft, from: number, to: number): Draft {
  return { text: text.slice(0, from) + text.slice(to), caret: from };
}

/** What can be done with the keys of a line editor. */
export type Edit =
  | 'left'
  | 'right'
  | 'word_left'
  | 'word_right'
  | 'home'
  | 'end'
  | 'backspace'
  | 'delete'
  | 'delete_word'
  | 'delete_to_start'
  | 'delete_to_end';

/** The draft after an edit; the same object when it changes nothing. */
export function edit(draft: Draft, how: Edit): Draft {
  const { text, caret } = draft;
  const to = (place: number): Draft => (place === caret ? draft : { text, caret: place });
  switch (how) {
    case 'left':
      return to(caret - before(draft).length);
    case 'right':
      return to(caret + after(draft).length);
    case 'word_left':
      return to(wordStart(draft));
    case 'word_right':
      return to(wordEnd(draft));
    case 'home':
      return to(lineStart(draft));
    case 'end':
      return to(lineEnd(draft));
    case 'backspace':
      return caret === 0 ? draft : cut(draft, caret - before(draft).length, caret);
    case 'delete':
      return caret === text.length ? draft : cut(draft, caret, caret + after(draft).length);
    case 'delete_word':
      return caret === 0 ? draft : cut(draft, wordStart(draft), caret);
    case 'delete_to_start':
      return caret === 0 ? draft : cut(draft, lineStart(draft), caret);
    case 'delete_to_end':
      return caret === text.length ? draft : cut(draft, caret, lineEnd(draft));
  }
}

/** The draft with its caret one line up or down, near the same column; null when there is no such line. */
export function moveLine(draft: Draft, direction: -1 | 1): Draft | null {
  const { text } = draft;
  const start = lineStart(draft);
  const column = columnsOf(text.slice(start, draft.caret));
  const edge = direction < 0 ? start - 1 : lineEnd(draft);
  if (edge < 0 || edge >= text.length) return null;
  const nextStart = direction < 0 ? text.lastIndexOf('\n', edge - 1) + 1 : edge + 1;
  const nextEnd = direction < 0 ? edge : lineEnd({ text, caret: nextStart });
  let caret = nextStart;
  let used = 0;
  for (const grapheme of graphemes(text.slice(nextStart, nextEnd))) {
    used += graphemeColumns(grapheme);
    if (used > column) break;
    caret += grapheme.length;
  }
  return { text, caret };
}

/** The rows of a draft in a field of `columns`, and where the caret stands in them. */
export interface FieldRows {
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
}

/** What cannot be seen (a direction mark in pasted text) gets a sign of one column. */
function shown(grapheme: string): string {
  return grapheme === '\t' ? ' ' : terminalText(grapheme) === grapheme ? grapheme : '▫';
}

/** Lays a draft out: broken anywhere, so that the caret is always in sight; a caret behind a full row stands in the next. */
export function fieldRows({ text, caret }: Draft, columns: number): FieldRows {
  const rows = [''];
  let [used, at, row, column] = [0, 0, 0, 0];
  for (const grapheme of graphemes(text)) {
    const sign = shown(grapheme);
    const width = grapheme === '\n' ? 0 : graphemeColumns(sign);
    if (grapheme !== '\n' && used + width > columns) {
      rows.push('');
      used = 0;
    }
    if (at === caret) [row, column] = [rows.length - 1, used];
    at += grapheme.length;
    if (grapheme === '\n') {
      rows.push('');
      used = 0;
    } else {
      rows[rows.length - 1] += sign;
      used += width;
    }
  }
  if (at === caret) {
    if (used >= columns) {
      rows.push('');
      used = 0;
    }
    [row, column] = [rows.length - 1, used];
  }
  return { rows, row, column };
}
