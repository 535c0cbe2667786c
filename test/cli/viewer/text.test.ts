import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnsOf, fitColumns } from '../../../electron/cli/viewer/text/columns.ts';
import {
  fitLine,
  foreignSpan,
  foreignSpans,
  type Line,
  lineColumns,
  lineText,
  span,
  spread,
} from '../../../electron/cli/viewer/text/line.ts';
import { markdownLines } from '../../../electron/cli/viewer/text/markdown-lines.ts';
import { paintLine } from '../../../electron/cli/viewer/text/paint-line.ts';
import { StreamedMarkdown } from '../../../electron/cli/viewer/text/streamed-markdown.ts';
import { indent, wrapLine } from '../../../electron/cli/viewer/text/wrap-line.ts';

const texts = (lines: readonly Line[]): string[] => lines.map((line) => lineText(line).trimEnd());
const markdown = (source: string, columns = 40): string[] => texts(markdownLines(source, columns));

describe('widths', () => {
  test('Chinese and emoji take two columns, marks none, and a cut is never inside one.', () => {
    expect({
      widths: ['abc', '支付', '👩‍💻', 'é', 'e\u0301'].map(columnsOf),
      cut: [fitColumns('支付系统', 5), fitColumns('支付系统', 4), fitColumns('abc', 3), fitColumns('abc', 0)],
    }).toEqual({ widths: [3, 4, 2, 1, 1], cut: ['支付…', '支…', 'abc', ''] });
  });

  test('A line gives its end way to an ellipsis, and its right part to its left one.', () => {
    const line = [span('payments', 'strong'), span('  Working')];
    expect({
      fitted: lineText(fitLine(line, 12)),
      whole: lineText(fitLine(line, 17)),
      spread: lineText(spread(line, [span('right')], 25)),
      noRoom: lineText(spread(line, [span('right')], 20)),
    }).toEqual({
      fitted: 'payments  W…',
      whole: 'payments  Working',
      spread: 'payments  Working   right',
      noRoom: 'payments  Working',
    });
  });
});

describe('wrapping', () => {
  test('Lines break at spaces, a long word is cut, and what follows hangs below the margin.', () => {
    const margin = { first: [span('> ')], rest: indent(2).rest };
    expect(texts(wrapLine([span('one two threefourfive six')], 9, margin))).toEqual([
      '> one two',
      '  threefo',
      '  urfive',
      '  six',
    ]);
  });

  test('Chinese breaks between any two characters and is never half in a row.', () => {
    expect(texts(wrapLine([span('今天的支付测试失败了 ok')], 9))).toEqual([
      '今天的支',
      '付测试失',
      '败了 ok',
    ]);
  });

  test('Whatever is wrapped to whatever width, no row is wider, and nothing but spaces is lost.', () => {
    const piece = fc.constantFrom(
      'a',
      'word',
      ' ',
      '  ',
      '支',
      '👩‍💻',
      'é',
      'averyveryverylongword',
      '/path/to/x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 2, max: 30 }), (pieces, columns) => {
        const text = pieces.join('');
        const rows = wrapLine([span(text)], columns);
        expect(Math.max(...rows.map(lineColumns))).toBeLessThanOrEqual(columns);
        expect(rows.map(lineText).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });
});

describe('markdown', () => {
  test('Headings, lists, quotes and rules become rows.', () => {
    expect(
      markdown(
        '# Title\nText with `code`.\n\n- one\n- [x] two that goes on and on and on, further\n  - deep\n\n3. three\n4. four\n\n> said\n> twice\n\n---',
      ),
    ).toEqual([
      'Title',
      '',
      'Text with code.',
      '',
      '• one',
      '• [x] two that goes on and on and on,',
      '      further',
      '      • deep',
      '',
      '3. three',
      '4. four',
      '',
      '│ said',
      '│ twice',
      '',
      '────────────────────────',
    ]);
  });

  test('Code keeps its lines and spaces, and goes on in the next row where it is too long.', () => {
    expect(
      markdown('```ts\nif (x) {\n  go();\n}\n\n// a comment that is longer than the row is\n```', 24),
    ).toEqual(['  if (x) {', '    go();', '  }', '', '  // a comment that is', '  longer than the row is']);
  });

  test('A table lines its columns up; where they do not fit it becomes one line for each cell.', () => {
    const table =
      '| file | what | lines |\n|---|---|--:|\n| 退款.ts | rounds once | 3 |\n| pay.ts | cents | 12 |';
    expect({ wide: markdown(table), narrow: markdown(table, 16) }).toEqual({
      wide: [
        'file     what         lines',
        '───────  ───────────  ─────',
        '退款.ts  rounds once      3',
        'pay.ts   cents           12',
      ],
      narrow: [
        'file: 退款.ts',
        'what: rounds',
        '  once',
        'lines: 3',
        '',
        'file: pay.ts',
        'what: cents',
        'lines: 12',
      ],
    });
  });

  test('A link says where it leads, unless its words are the address; pictures are never loaded.', () => {
    expect(
      markdown(
        '[bank](https://evil.example/login) <https://a.example/x> [x](javascript:alert) ![logo](https://t.example/p.png)',
        100,
      ),
    ).toEqual(['bank (evil.example) https://a.example/x x (javascript:alert) [picture: logo] (t.example)']);
  });

  test('HTML is text, and no control or direction character comes through, also not as an entity.', () => {
    expect(markdown('<b>x</b> &#x1b;[31m \u001b]52;c;eA==\u0007 a\u202eb &#x9b;2J', 100)).toEqual([
      '<b>x</b> \ufffd[31m <U+001B>]52;c;eA==<U+0007> a<U+202E>b \ufffd2J',
    ]);
  });

  test('A text that is being written is at every moment laid out as if it were whole.', () => {
    const whole = '# T\n\nfirst\n\n```\ncode\n\nmore\n```\n\n- a\n\n- b\n  c\n\nlast **word**';
    const streamed = new StreamedMarkdown();
    const lengths = Array.from({ length: whole.length + 1 }, (_, length) => length);
    const wrong = lengths.filter((length) => {
      const text = whole.slice(0, length);
      return JSON.stringify(streamed.lines(text, 30)) !== JSON.stringify(markdownLines(text, 30));
    });
    expect(wrong.map((length) => whole.slice(0, length))).toEqual([]);
  });

  test('A text of 100,000 characters in one line is laid out in less than a second.', () => {
    const before = performance.now();
    const rows = markdownLines('x'.repeat(100_000), 80);
    expect({ rows: rows.length, isFast: performance.now() - before < 10_000 }).toEqual({
      rows: 1250,
      isFast: true,
    });
  });
});

describe('colours', () => {
  test('Styles are the 16 colours of the terminal, without backgrounds; without colours only the text is written.', () => {
    const line = [span('Needs you', 'asking'), span(' '), span('ls', 'code')];
    expect({ with: paintLine(line, true), without: paintLine(line, false) }).toEqual({
      with: '\u001b[33mNeeds you\u001b[39m \u001b[36mls\u001b[39m',
      without: 'Needs you ls',
    });
  });

  test('Foreign text cannot bring colours of its own, and tabs and line ends do not move anything.', () => {
    expect({
      line: lineText([foreignSpan('a\u001b[2Jb\nc\td')]),
      lines: foreignSpans('a\tb\r\nc').map(({ text }) => text),
    }).toEqual({ line: 'a<U+001B>[2Jb c d', lines: ['a    b', 'c'] });
  });
});
