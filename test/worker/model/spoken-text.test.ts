import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SpokenText } from '../../../electron/worker/model/answer/spoken-text.ts';

function heard(pieces: readonly string[]): string[] {
  const spoken = new SpokenText();
  return pieces.map((piece) => spoken.add(piece));
}

test('What a person is told is readable as it comes, whatever stands before and after it.', () => {
  const pieces = ['{"in_reply', '_to":"m1","mes', 'sage": "Hel', 'lo\\', 'n\\u00', 'e4"', ',"status":"x"}'];
  expect(heard(pieces)).toEqual(['', '', 'Hel', 'lo', '\n', 'ä', '']);
});

test('A message that is quoted inside another member is not taken for it.', () => {
  const json = JSON.stringify({ note: 'say "message": "no"', message: 'yes' });
  expect(heard([json])).toEqual(['yes']);
});

test('Any text cut anywhere is heard whole, and nothing else.', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat(60), { maxLength: 6 }), (message, cuts) => {
      const json = JSON.stringify({ message, status: 'normal' });
      const at = [0, ...cuts.map((cut) => Math.min(cut, json.length)).sort((a, b) => a - b), json.length];
      const pieces = at.slice(1).map((end, index) => json.slice(at[index], end));
      expect(heard(pieces).join('')).toBe(message);
    }),
  );
});

test('What is read is not kept: a long input in small pieces is heard as fast as it comes.', () => {
  const spoken = new SpokenText();
  const before = spoken.add('{"note":"');
  for (let piece = 0; piece < 100_000; piece += 1) spoken.add('sixteen letters!');
  expect([before, spoken.add('","message":"yes"}')]).toEqual(['', 'yes']);
});
