import { expect, test } from 'vitest';
import { safeModeWords } from '../../../shared/protocol/safe-mode.ts';

const general = 'Mend the cause (see: kairos doctor, kairos logs), then: kairos daemon restart';

test.each([
  ['The daemon was killed by SIGKILL', 'The daemon was killed by SIGKILL.', general],
  ['It ended with code 1.', 'It ended with code 1.', general],
  [
    '"/h/store.db" was written by a newer Kairos (schema 9, this one knows 3). Install the newer Kairos.',
    '"/h/store.db" was written by a newer Kairos (schema 9, this one knows 3).',
    'Install the newer Kairos, then: kairos daemon restart',
  ],
  [
    'The store is gone. Put it back, or start empty: kairos daemon start --fresh.',
    'The store is gone.',
    'Put it back, or start empty: kairos daemon start --fresh.',
  ],
])('the reason "%s" gives one sentence and one advice', (reason, why, next) => {
  expect(safeModeWords(reason)).toEqual({ why, next });
});
