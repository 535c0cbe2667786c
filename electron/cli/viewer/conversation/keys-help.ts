import { type Line, span } from '../text/line.ts';
import { wrapLine } from '../text/wrap-line.ts';

/** Every key, with what it does. */
const rows: readonly (readonly [key: string, does: string])[] = [
  ['Enter', 'send'],
  ['Ctrl+J, Shift+Enter', 'new line'],
  ['Up, Ctrl+R', 'what you sent before; search in it'],
  ['Tab', 'to what asks, then to the history'],
  ['y, n', 'at what asks: allow once, deny; letters answer a question'],
  ['Esc', 'back; nothing is interrupted'],
  ['PgUp, PgDn, wheel', 'history, or the text that asks'],
  ['End', 'to the newest'],
  ['Ctrl+O', 'brief or detail'],
  ['c', 'in the history: copy the last message in sight'],
  ['Shift+drag', 'select text with the mouse'],
  ['Ctrl+C', 'clear what you typed; again: leave. The agent goes on'],
];

/** The list of keys. */
export function helpLines(columns: number): Line[] {
  const width = Math.max(...rows.map(([key]) => key.length)) + 2;
  const isNarrow = columns < width + 24;
  return [
    [span('Keys', 'strong')],
    [],
    ...rows.flatMap(([key, does]) =>
      isNarrow
        ? [
            [span(key, 'accent')],
            ...wrapLine([span(does)], columns, { first: [span('  ')], rest: [span('  ')] }),
          ]
        : wrapLine([span(does)], columns, {
            first: [span(key.padEnd(width), 'accent')],
            rest: [span(' '.repeat(width))],
          }),
    ),
    [],
    [span('Any key closes this.', 'muted')],
  ];
}
