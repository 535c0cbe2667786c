import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

test('files are found inside of the session directory and the scratch folder, whatever leads out is not even read', async () => {
  const { dir, scratch } = bench;
  await writeFile(join(dir, 'a.png'), 'picture');
  await writeFile(join(scratch, 'long.txt'), 'long');
  await writeFile(join(dir, '..', 'outside.txt'), 'outside');
  await mkdir(join(dir, '.kairos'));
  await writeFile(join(dir, '.kairos', 'daemon.json'), 'token');
  await symlink(join(dir, '..', 'outside.txt'), join(dir, 'link.txt'));
  await symlink(join(dir, 'a.png'), join(dir, 'inner.png'));
  await symlink('loop', join(dir, 'loop'));
  const attachments = [
    'a.png',
    'a.png',
    join(scratch, 'long.txt'),
    'inner.png',
    'link.txt',
    '../outside.txt',
    '.kairos/daemon.json',
    'loop',
    '',
  ];
  const { facts } = await bench.prepare('SendUserMessage', { message: 'Here.', attachments });
  const png = { name: 'a.png', mediaType: 'image/png', bytes: 7, hash: expect.any(String) };
  expect([facts?.files, facts?.paths, facts?.preview, [...bench.blobs.values()].map(String)]).toEqual([
    {
      found: [
        { path: 'a.png', real: join(dir, 'a.png'), file: png },
        {
          path: join(scratch, 'long.txt'),
          real: join(scratch, 'long.txt'),
          file: { name: 'long.txt', mediaType: 'text/plain', bytes: 4, hash: expect.any(String) },
        },
        { path: 'inner.png', real: join(dir, 'a.png'), file: png },
      ],
      lost: [
        { path: 'link.txt', reason: 'is outside of the session directory' },
        { path: '../outside.txt', reason: 'is outside of the session directory' },
        { path: '.kairos/daemon.json', reason: "is in Kairos's own home" },
        { path: 'loop', reason: expect.stringMatching(/symbolic links/) },
        { path: '', reason: 'the path is empty' },
      ],
    },
    [join(dir, 'a.png'), join(scratch, 'long.txt'), join(dir, 'a.png')],
    'Here.',
    ['picture', 'long'],
  ]);
});

test('an input without a readable list of files is left to the daemon, which says what is wrong', async () => {
  const inputs = [{ message: 'a', attachments: 'a.png' }, { message: 'a', attachments: [7] }, 5, null];
  const prepared = await Promise.all(inputs.map((input) => bench.prepare('SendUserMessage', input)));
  expect(prepared.map(({ facts }) => facts?.files)).toEqual([undefined, undefined, undefined, undefined]);
});

test('earlier conversations are told with place, time and speaker, and with how they were looked for', async () => {
  const wanted: unknown[] = [];
  const hit = {
    session: 'ses_1',
    name: 'shop',
    seq: 7,
    at: Date.UTC(2026, 10, 30, 9, 5),
    who: 'owner',
    text: 'the needle',
  };
  const history = {
    search: async (asked: unknown) => {
      wanted.push(asked);
      return wanted.length === 1
        ? { hits: [hit, { ...hit, name: null, who: 'Kairos' }], note: null }
        : { hits: [], note: 'Only the newest.' };
    },
  };
  Object.assign(bench.context, { history });
  const first = await bench.call('transcript_search', { term: 'needle', since: '2026-11-01', limit: 5 });
  const second = await bench.call('transcript_search', { term: 'x', session: 'this' });
  const bad = await bench.call('transcript_search', { term: 'x', since: 'yesterday' });
  const many = await bench.call('transcript_search', { term: 'x', limit: 51 });
  expect([first.output, second.output, bad.output, many.output, wanted]).toEqual([
    '## 2026-11-30 09:05 UTC, shop (ses_1, 7), owner\nthe needle\n\n## 2026-11-30 09:05 UTC, ses_1 (ses_1, 7), Kairos\nthe needle',
    'Nothing was found.\n\n[Only the newest.]',
    'transcript_search: since: "yesterday" is no date; write it as 2026-11-30',
    expect.stringMatching(/limit/),
    [
      { query: 'needle', since: Date.UTC(2026, 10, 1), limit: 5, own: false },
      { query: 'x', since: null, limit: 20, own: true },
    ],
  ]);
});
