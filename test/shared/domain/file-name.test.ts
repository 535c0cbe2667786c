import { expect, test } from 'vitest';
import { fileNameProblem } from '../../../shared/domain/file-name.ts';

test('Names of files are one visible part that no system takes for something else.', () => {
  const good = ['a.txt', '报告.pdf', 'a b (1).png', '.env.example', 'ü'];
  const bad = [
    '',
    '  ',
    '.',
    '..',
    'a/b',
    '..\\c',
    'a\nb',
    'a\u202eb',
    '-rf',
    'NUL',
    'x'.repeat(201),
    'ü'.repeat(101),
  ];
  expect({
    good: good.filter((name) => fileNameProblem(name) !== null),
    bad: bad.filter((name) => fileNameProblem(name) === null),
  }).toEqual({ good: [], bad: [] });
});
