import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { search } from '../../electron/daemon/events/reader/search.ts';
import { KairosError } from '../../shared/base/errors.ts';
import { systemClock } from '../../electron/node/clock.ts';
import type { SearchFilter } from '../../electron/daemon/events/reader/job.ts';
import { createReaderClient, type ReaderClient } from '../../electron/daemon/events/reader-client.ts';
import type { Store } from '../../electron/daemon/events/port.ts';
import { codeOf } from '../conformance/store-rig.ts';
import {
  begin,
  beginCall,
  callParts,
  endCall,
  newSession,
  reply,
  say,
  send,
  textPart,
  withCalls,
} from './support/acts.ts';
import { openIn, type StoreFolder, storeFolder } from './support/folder.ts';

// Real files and processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 });

const entry = fileURLToPath(new URL('../../electron/daemon/events/reader/main.ts', import.meta.url));

interface Reading {
  readonly store: Store;
  readonly session: string;
  readonly reader: ReaderClient;
  readonly folder: StoreFolder;
}

async function reading(...texts: readonly string[]): Promise<Reading> {
  const folder = await storeFolder();
  const store = await openIn(folder);
  const session = await newSession(store);
  for (const said of texts) await say(store, session, said);
  const reader = createReaderClient({ entry, home: folder, clock: systemClock });
  onTestFinished(() => reader.endAll());
  return { store, session, reader, folder };
}

const lines = (output: string): unknown[] =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

test('only a few readers run at once; too many are refused, and so are the waiting ones when all are ended', async () => {
  const { reader } = await reading('one');
  const codes = Array.from({ length: 67 }, () => codeOf(reader.search('one', 1)));
  const last = await codes.at(-1);
  reader.endAll();
  expect([last, (await Promise.all(codes)).filter((code) => code === 'busy').length]).toEqual(['busy', 65]);
});

describe('export', () => {
  test('gives the whole log as the store has it, long bodies too', async () => {
    const { store, session, reader } = await reading('one', '\u4e8c'.repeat(50_000), 'three');
    await say(store, await newSession(store), 'of another session');
    const output = await text(await reader.exportSession(session));
    expect(lines(output)).toEqual(await store.events(session, { after: 0, limit: 100 }));
  });

  test('of a long log is complete while the store goes on writing', async () => {
    const { store, session, reader } = await reading();
    await Promise.all(Array.from({ length: 1500 }, (_, n) => say(store, session, `${n}`)));
    const stream = await reader.exportSession(session);
    await say(store, session, 'meanwhile');
    const seqs = lines(await text(stream)).map((event) => (event as { seq: number }).seq);
    expect(seqs.slice(0, 1501)).toEqual(Array.from({ length: 1501 }, (_, n) => n + 1));
  });

  test('of a store that is not there rejects with what is wrong', async () => {
    const folder = await storeFolder();
    const reader = createReaderClient({ entry, home: folder, clock: systemClock });
    expect(await codeOf(reader.exportSession('ses_x'))).toBe('not_writable');
  });

  test('ends its process when nobody reads on', async () => {
    const { store, session, reader } = await reading();
    await Promise.all(Array.from({ length: 400 }, () => say(store, session, 'x'.repeat(20_000))));
    const stream = await reader.exportSession(session);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stream.destroy();
    await closed;
    expect(stream.destroyed).toBe(true);
  });
});

describe('search', () => {
  const texts = [
    'The quick-brown fox: AND "quoted"',
    '我们明天去北京开会',
    '東京の天気は晴れです',
    '서울의 날씨는 맑음',
    'Überraschung im Straßencafé',
    'const fooBarBaz = parse_json(x);',
    'party 🎉 time',
  ];
  const queries: Record<string, number | null> = {
    fox: 0,
    'quick-brown': 0,
    '"quoted"': 0,
    AND: 0,
    'fox AND NOT (': null,
    北京: 1,
    去北京开: 1,
    会: 1,
    天気は: 2,
    날씨: 3,
    überraschung: 4,
    UBERRASCHUNG: 4,
    straßencafé: 4,
    fooBar: 5,
    barbaz: 5,
    parse_json: 5,
    '🎉': 6,
    'time party': 6,
    '*': null,
    "'": null,
    '^"': null,
    'nothing like this': null,
    '\u0000': null,
    '   ': null,
  };

  test('finds words, parts and signs in any script, and no text is a wrong query', {
    timeout: 60_000,
  }, async () => {
    const { store, session, folder } = await reading(...texts);
    // The job itself: two dozen processes would only be slow. The next test goes through one.
    const find = (query: string) => search({ job: 'search', ...folder, query, limit: 5 }, systemClock).hits;
    const step = await begin(store, session);
    await reply(store, session, step.id, [
      textPart('thinking aloud about marmalade'),
      ...callParts(['c1', 'Send']),
    ]);
    await beginCall(store, session, step.id, 'c1', send('the answer is elderberry'));
    const found: Record<string, number | null> = {};
    for (const query of Object.keys(queries)) {
      const [hit] = find(query);
      found[query] = hit ? texts.indexOf(hit.text) : null;
    }
    expect(found).toEqual(queries);
    const texted = (query: string): string[] => find(query).map((hit) => hit.text);
    expect(texted('marmalade')).toEqual(['thinking aloud about marmalade']);
    expect(texted('elder')).toEqual(['the answer is elderberry']);
  });

  test('finds an answer once, although the log has it as a reply and as what was sent', async () => {
    const { store, session, folder } = await reading('hello');
    const step = await begin(store, session);
    await reply(store, session, step.id, [textPart('the answer is 中 elderberry')]);
    const find = (query: string) => search({ job: 'search', ...folder, query, limit: 5 }, systemClock).hits;
    expect([find('elderberry'), find('中')].map((hits) => hits.map(({ text: said }) => said))).toEqual([
      ['the answer is 中 elderberry'],
      ['the answer is 中 elderberry'],
    ]);
  });

  test('is newest first, cut to the place, and outlives the loss of its index', async () => {
    const { reader, folder, store, session } = await reading(
      'needle 1',
      `${'a '.repeat(500)}needle 2${' b'.repeat(500)}`,
    );
    const { hits } = await reader.search('needle', 10);
    expect(hits.map(({ seq }) => seq)).toEqual([3, 2]);
    expect(hits[0]?.text).toMatch(/^….*needle 2.*…$/);
    writeFileSync(folder.searchDb, 'broken '.repeat(1000));
    await say(store, session, 'needle 3');
    expect((await reader.search('needle', 2)).hits.map(({ seq }) => seq)).toEqual([4, 3]);
  });

  test('can be narrowed to a session, to a time and to what came before, and says how it looked', async () => {
    const { reader, store, session } = await reading('needle 1', 'needle 2', 'needle 3');
    const other = await newSession(store);
    await say(store, other, 'needle 4');
    const seqs = async (query: string, limit: number, filter: SearchFilter) => {
      const { hits, ...end } = await reader.search(query, limit, filter);
      return [hits.map((hit) => `${hit.session === session ? '' : 'other '}${hit.seq} ${hit.who}`), end];
    };
    const [event] = await store.events(session, { limit: 1 });
    const indexed = { indexed: true, recentOnly: false };
    expect([
      await seqs('needle', 9, { session }),
      await seqs('needle', 1, { session }),
      await seqs('needle', 9, { notFrom: { session, seq: 3 } }),
      await seqs('needle', 9, { session, since: (event?.at ?? 0) + 60_000 }),
      await seqs('3', 9, {}),
      await seqs('§', 9, {}),
      await seqs('  ', 9, {}),
    ]).toEqual([
      [['4 owner', '3 owner', '2 owner'], indexed],
      [['4 owner'], indexed],
      [['other 2 owner', '2 owner'], indexed],
      [[], { indexed: true, recentOnly: true }],
      [['4 owner'], indexed],
      [[], { indexed: true, recentOnly: true }],
      [[], indexed],
    ]);
  });
});

describe('copies', () => {
  test('a sound store has nothing to report, and its backup opens as a store', async () => {
    const { reader, folder, store, session } = await reading('kept', 'x'.repeat(100_000));
    expect(await reader.check()).toEqual({ database: [], missingBlobs: [] });
    const to = join((await storeFolder()).home, 'backup');
    expect(await reader.backUp(to)).toMatchObject({ to, blobs: 1, missing: [] });
    expect([
      await codeOf(reader.backUp(to)),
      await codeOf(reader.backUp(join(to, 'no', 'folder'))),
      existsSync(join(to, 'settings.json')),
    ]).toEqual(['bad_input', 'bad_input', false]);
    const copy = await openIn({ ...folder, storeDb: join(to, 'store.db'), blobsDir: join(to, 'blobs') });
    expect(await copy.events(session, { limit: 10 })).toEqual(await store.events(session, { limit: 10 }));
  });

  test('a spill file of the scratch folder is no part of a backup, and not missed in it', async () => {
    const { reader, store } = await reading();
    const { session, step } = await withCalls(store, ['c1', 'Bash']);
    await beginCall(store, session, step, 'c1', { do: 'grant' });
    const result = { outcome: 'ok', output: 'cut', spill: '/scratch/ses_1/whole.txt' } as const;
    await endCall(store, session, 'c1', result);
    const to = join((await storeFolder()).home, 'backup');
    expect([await reader.check(), await reader.backUp(to)]).toMatchObject([
      { database: [], missingBlobs: [] },
      { missing: [] },
    ]);
  });

  test('a place where no backup can be made is named, with the reason, and nothing is left there', async () => {
    const { reader, folder } = await reading('kept');
    const elsewhere = (await storeFolder()).home;
    writeFileSync(join(elsewhere, 'file'), '');
    symlinkSync(folder.home, join(elsewhere, 'link'));
    const places = {
      'inside the home': join(folder.home, 'backup'),
      'inside it through a link': join(elsewhere, 'link', 'backup'),
      'below a folder that is missing': join(elsewhere, 'no', 'backup'),
      'below a file': join(elsewhere, 'file', 'backup'),
      'with a name that is too long': join(elsewhere, 'x'.repeat(250)),
    };
    const said: Record<string, string> = {};
    for (const [place, to] of Object.entries(places)) {
      const error = await reader.backUp(to).catch((fault: KairosError) => fault);
      said[place] = error instanceof KairosError ? `${error.code}: ${error.message}` : 'made';
      said[place] = said[place].replaceAll(elsewhere, 'E').replaceAll(folder.home, 'HOME');
    }
    const inside = 'lies inside the state directory, and what is lost with that would be lost with it.';
    expect([said, readdirSync(elsewhere).toSorted()]).toEqual([
      {
        'inside the home': `bad_input: "HOME/backup" ${inside}`,
        'inside it through a link': `bad_input: "E/link/backup" ${inside}`,
        'below a folder that is missing': 'bad_input: There is no folder "E/no".',
        'below a file': 'bad_input: There is no folder "E/file".',
        'with a name that is too long': `bad_input: "E/${'x'.repeat(250)}" cannot be made (ENAMETOOLONG).`,
      },
      ['file', 'link'],
    ]);
  });
});
