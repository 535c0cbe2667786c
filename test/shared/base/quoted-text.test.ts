import { expect, it } from 'vitest';
import { quotedText } from '../../../shared/base/quoted-text.ts';

it('no line of a quoted text begins as a heading, a ref or a notice does, whatever ends its lines', () => {
  const ends = ['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'];
  expect(ends.map((end) => quotedText(`a${end}[m9] b${end}`))).toEqual(ends.map(() => '> a\n> [m9] b\n> '));
});
