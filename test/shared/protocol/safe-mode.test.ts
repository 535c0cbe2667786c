import { expect, test } from 'vitest';
import { safeModeWords } from '../../../shared/protocol/safe-mode.ts';

const general = 'Mend the cause (see: kairos doctor, kairos logs), then: kairos daemon restart';

test.each([
  ['The daemon was killed by SIGKILL', 'The daemon was killed by SIGKILL.', general],
  ['It ended with code 1.', 'It ended with code 1.', general],
  [
    'A part of "/h/store.db" is damaged (database disk image is malformed). Stop Kairos (kairos daemon stop) and put a backup back (kairos restore FOLDER --replace), or start empty and keep what is left (kairos daemon start --fresh).',
    'A part of "/h/store.db" is damaged (database disk image is malformed).',
    'Stop Kairos (kairos daemon stop) and put a backup back (kairos restore FOLDER --replace), or start empty and keep what is left (kairos daemon start --fresh).',
  ],
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
