import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../electron/node/clock.ts';
import { htmlPlainText } from '../../../../electron/worker/tools/parsing/html-plain-text.ts';
import { pageText } from '../../../../electron/worker/tools/web/page-text.ts';

/** The longest time that this process stood still, ms. */
let longestStall = 0;
let last = performance.now();
const probe = setInterval(() => {
  longestStall = Math.max(longestStall, performance.now() - last);
  last = performance.now();
}, 20);
afterAll(() => clearInterval(probe));

/** Time limits are three times shorter: what hangs costs a core. */
const hurried: typeof systemClock = {
  ...systemClock,
  after: (ms, fn, options) => systemClock.after(ms / 3, fn, options),
};

const read = async (html: string, signal: AbortSignal = new AbortController().signal) => {
  const started = performance.now();
  [longestStall, last] = [0, started];
  const page = { type: 'text/html', body: new Uint8Array(Buffer.from(html)) };
  const { text, note } = await pageText(page, { clock: hurried, signal });
  return { text, note, ms: performance.now() - started, stall: longestStall };
};

describe('A page made to hang its reader', () => {
  test.each([
    ['backticks in code', `<p>end</p><pre><code>${'`'.repeat(200_000)}</code></pre>`],
    ['nested boxes', `<p>end</p>${'<div>'.repeat(20_000)}`],
    ['tags that never end', `<p>end</p>${'<b>x'.repeat(200_000)}`],
    ['tables in tables', `<p>end</p>${'<table><tr><td>'.repeat(5_000)}`],
    ['lists in lists', `<p>end</p>${'<ul><li>'.repeat(5_000)}`],
    ['white space', `<p>end${' \n'.repeat(1_000_000)}b`],
    ['attributes', `<p ${'a="b" '.repeat(700_000)}>end`],
    ['one line', `<p>${'word '.repeat(1_000_000)}end`],
    ['entities', `<p>end${'&amp;'.repeat(1_000_000)}`],
    ['open brackets', `<p>end${'<'.repeat(1_000_000)}`],
    ['open comments', `<p>end${'<!--'.repeat(1_000_000)}`],
    ['open scripts', `<p>end${'<script>'.repeat(500_000)}`],
  ])(
    'is read, and meanwhile everything else goes on: %s',
    async (_name, html) => {
      const { text, ms, stall } = await read(html);
      expect([text.includes('end'), stall < 8_000, ms < 15_000]).toEqual([true, true, true]);
    },
    30_000,
  );

  test('is given as its plain text when Markdown takes too long, and that is said', async () => {
    const { text, note } = await read(`<p>end</p>${'<div>'.repeat(20_000)}`);
    expect({ text, note }).toEqual({
      text: 'end',
      note: 'only the plain text of the page: turning it into Markdown takes longer than 5 s',
    });
  }, 30_000);

  test('is let go at once by an interrupt, also while others have their turn', async () => {
    const stop = new AbortController();
    const html = '<ul><li>'.repeat(8_000);
    const all = Array.from({ length: 4 }, () => read(html, stop.signal));
    const started = performance.now();
    setTimeout(() => stop.abort(), 300);
    const ends = await Promise.allSettled(all);
    expect([ends.map(({ status }) => status), performance.now() - started < 15_000]).toEqual([
      ['rejected', 'rejected', 'rejected', 'rejected'],
      true,
    ]);
  });
});

describe('The plain text of a page', () => {
  test('is its words, without what no reader sees', () => {
    const html =
      '<!doctype html><head><title>T</title><style>p{}</style></head><body><!-- no --><p>One <b>bold</b>   word &amp; &#65;&#x42;&unknown;</p><script>if (a < b) x("</p>")</script ><p>2 < 3</p><svg><text>no</text></svg><p>end';
    expect(htmlPlainText(html)).toBe('T\nOne bold word & AB&unknown;\n2 < 3\nend');
  });

  test('takes time that grows with the length alone', () => {
    const hostile = ['<', '</', '<!--', '<script>', '<p', '&', '&#', ' \n', '<b>', '<svg', '<a '].map(
      (piece) => piece.repeat(Math.floor(1_000_000 / piece.length)),
    );
    for (const html of hostile) {
      const started = performance.now();
      htmlPlainText(html);
      expect([html.slice(0, 10), performance.now() - started < 15_000]).toEqual([html.slice(0, 10), true]);
    }
  });
});
