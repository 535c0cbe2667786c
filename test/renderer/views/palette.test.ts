import { describe, expect, it } from 'vitest';
import { emptyWindow, type WindowState } from '../../../renderer/store/window-state.ts';
import { english } from '../../../renderer/text/en.ts';
import { paletteEntries } from '../../../renderer/views/palette/palette-entries.ts';
import { markWords } from '../../../renderer/views/search/mark-words.ts';
import { type ComposerFile, withFiles } from '../../../renderer/views/composer/use-files.ts';
import { home, session } from '../support/samples.ts';

const state = (scopes: WindowState['scopes']): WindowState => ({
  ...emptyWindow,
  scopes,
  home: home({
    sessions: [
      session('payments', { state: 'asking', openPrompts: 1, lastActivity: 1 }),
      session('docs', { lastActivity: 9 }),
    ],
  }),
});
const titles = (typed: string, scopes: WindowState['scopes'] = ['owner']): string[] =>
  paletteEntries(english, state(scopes), typed).map(({ title }) => title);

describe('The palette', () => {
  it('has sessions that need the person first, then views and acts', () => {
    expect(titles('')).toEqual([
      'payments',
      'docs',
      'Search',
      'Approvals',
      'Usage',
      'Doctor',
      'Settings',
      'New session',
      'Pause everything',
      'Show every step',
      'Keys',
    ]);
  });

  it('finds by every typed word, and offers to search messages for them', () => {
    expect([titles('SESSION pay'), titles('zzz')]).toEqual([
      ['payments', 'Search messages for "SESSION pay"'],
      ['Search messages for "zzz"'],
    ]);
  });

  it('offers a device that is not the owner’s nothing that only an owner may do', () => {
    expect(titles('', ['read', 'send'])).toEqual(
      expect.not.arrayContaining(['Settings', 'New session', 'Pause everything']),
    );
  });
});

describe('A found text', () => {
  it('marks the words in any case, whatever is in them, and loses nothing', () => {
    const pieces = markWords('Costs $5 (a.b) and MILK, milk', 'milk a.b $5');
    expect({
      whole: pieces.map(({ text }) => text).join(''),
      marked: pieces.filter(({ isMarked }) => isMarked).map(({ text }) => text),
    }).toEqual({ whole: 'Costs $5 (a.b) and MILK, milk', marked: ['$5', 'a.b', 'MILK', 'milk'] });
  });

  it('is whole where nothing was typed', () => {
    expect(markWords('text', ' " ')).toEqual([{ text: 'text', isMarked: false }]);
  });
});

it('A message names the files that are stored, and no other ones', () => {
  const files: ComposerFile[] = [
    { key: '1', name: 'a', state: { kind: 'taken', path: '/s/a' } },
    { key: '2', name: 'b', state: { kind: 'failed', why: 'x' } },
    { key: '3', name: 'c', state: { kind: 'taken', path: '/s/c' } },
  ];
  expect([
    withFiles(english, 'look\n', files),
    withFiles(english, '', files),
    withFiles(english, 'x', []),
  ]).toEqual([
    'look\nAttached file: /s/a\nAttached file: /s/c',
    'Attached file: /s/a\nAttached file: /s/c',
    'x',
  ]);
});
