import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  instructionFiles,
  instructionPlaces,
  repositoryOf,
} from '../../../electron/worker/frame/instruction-files.ts';
import { changedInstructions, instructionText } from '../../../electron/worker/frame/instruction-text.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'kairos-frame-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** Path, text and note of what a session in `dir` reads; paths relative to the root of the test. */
async function read(dir: string): Promise<(string | null)[][]> {
  mkdirSync(join(root, 'home'), { recursive: true });
  const at = join(root, dir);
  const files = await instructionFiles(instructionPlaces(at, await repositoryOf(at), join(root, 'home')));
  return files.map(({ path, text, note }) => [
    relative(root, path),
    text,
    note === null ? null : note.replaceAll(root, ''),
  ]);
}

describe('which instruction files are read', () => {
  test('the person’s own first, then from the root of the repository down, the nearest last', async () => {
    put({
      'home/.config/kairos/AGENTS.md': 'mine',
      'outside/AGENTS.md': 'not of the repository',
      'outside/repo/.git/HEAD': '',
      'outside/repo/AGENTS.md': 'root agents',
      'outside/repo/CLAUDE.md': 'root claude',
      'outside/repo/a/CLAUDE.md': 'a claude',
      'outside/repo/a/b/AGENTS.md': 'b agents',
      'outside/repo/other/AGENTS.md': 'elsewhere',
    });
    expect(await read('outside/repo/a/b')).toEqual([
      ['home/.config/kairos/AGENTS.md', 'mine', null],
      ['outside/repo/AGENTS.md', 'root agents', null],
      ['outside/repo/CLAUDE.md', 'root claude', null],
      ['outside/repo/a/CLAUDE.md', 'a claude', null],
      ['outside/repo/a/b/AGENTS.md', 'b agents', null],
    ]);
  });

  test('outside of a repository only the session’s own directory', async () => {
    put({ 'x/AGENTS.md': 'above', 'x/y/AGENTS.md': 'here' });
    expect(await read('x/y')).toEqual([['x/y/AGENTS.md', 'here', null]]);
  });

  test('~/.claude only where there is nothing of Kairos’s own', async () => {
    put({ 'home/.claude/CLAUDE.md': 'from before', 'w/AGENTS.md': 'here' });
    expect((await read('w'))[0]).toEqual(['home/.claude/CLAUDE.md', 'from before', null]);
    put({ 'home/.config/kairos/CLAUDE.md': 'new' });
    expect((await read('w')).map(([path]) => path)).toEqual(['home/.config/kairos/CLAUDE.md', 'w/AGENTS.md']);
  });

  test('the same content once, as a copy or as a link', async () => {
    put({ 'w/AGENTS.md': 'same\n', 'v/AGENTS.md': 'linked' });
    put({ 'w/CLAUDE.md': 'same' });
    symlinkSync('AGENTS.md', join(root, 'v/CLAUDE.md'));
    expect([await read('w'), await read('v')]).toEqual([
      [['w/AGENTS.md', 'same', null]],
      [['v/AGENTS.md', 'linked', null]],
    ]);
  });

  test('nothing where there is nothing, nor where a folder has that name', async () => {
    put({ 'w/AGENTS.md/x.md': 'in a folder', 'w/CLAUDE.md': '  \n' });
    expect([await read('w'), instructionText([])]).toEqual([[], '']);
  });
});

describe('what they import', () => {
  test('stands before the file that names it, each file once, in circles too', async () => {
    put({
      'w/.git/HEAD': '',
      'w/AGENTS.md': 'main @docs/a.md and @missing.md',
      'w/docs/a.md': 'a @b.md',
      'w/docs/b.md': 'b @a.md @../AGENTS.md',
    });
    expect(await read('w')).toEqual([
      ['w/docs/b.md', 'b @a.md @../AGENTS.md', null],
      ['w/docs/a.md', 'a @b.md', null],
      ['w/AGENTS.md', 'main @docs/a.md and @missing.md', null],
    ]);
  });

  test('goes five files deep', async () => {
    put(
      Object.fromEntries(
        Array.from({ length: 9 }, (_, n) => [n === 0 ? 'w/AGENTS.md' : `w/f${n}.md`, `${n} @f${n + 1}.md`]),
      ),
    );
    expect((await read('w')).map(([path]) => path)).toEqual(
      ['f5', 'f4', 'f3', 'f2', 'f1', 'AGENTS'].map((name) => `w/${name}.md`),
    );
  });

  test('never comes from outside of the tree, not by path, home or link, and says so', async () => {
    put({
      'home/.ssh/config': 'secret of the home',
      'secret.md': 'secret beside',
      'w/.git/HEAD': '',
      'w/AGENTS.md': '@../secret.md @~/.ssh/config @link.md',
      'v/x': '',
    });
    symlinkSync('../secret.md', join(root, 'w/link.md'));
    symlinkSync('../secret.md', join(root, 'v/AGENTS.md'));
    const outside = (path: string) => `not read: it leads to "${path}", outside of this directory tree`;
    expect([await read('w'), await read('v')]).toEqual([
      [
        ['secret.md', '', outside('/secret.md')],
        ['home/.ssh/config', '', outside('/home/.ssh/config')],
        ['w/AGENTS.md', '@../secret.md @~/.ssh/config @link.md', null],
      ],
      [['v/AGENTS.md', '', outside('/secret.md')]],
    ]);
  });

  test('may come from the person’s own folder, and a file there may import from all of the home', async () => {
    put({
      'home/.config/kairos/AGENTS.md': 'mine @~/notes/style.md',
      'home/notes/style.md': 'style',
      'home/.config/kairos/shared.md': 'shared',
      'w/AGENTS.md': 'here @~/.config/kairos/shared.md',
    });
    expect((await read('w')).map(([, text]) => text)).toEqual([
      'style',
      'mine @~/notes/style.md',
      'shared',
      'here @~/.config/kairos/shared.md',
    ]);
  });

  test('takes notes from the person’s own folder, never secrets or conversations that lie there', async () => {
    put({
      'home/.claude/CLAUDE.md': 'mine',
      'home/.claude/.credentials.json': 'TOKEN',
      'home/.claude/.hidden/a.md': 'TOKEN',
      'home/.claude/history.jsonl': 'words',
      'home/.claude/notes/style.md': 'style',
      'w/AGENTS.md':
        '@~/.claude/.credentials.json @~/.claude/.hidden/a.md @~/.claude/history.jsonl @~/.claude/notes/style.md',
    });
    expect((await read('w')).map(([path, text]) => [path, text?.slice(0, 5)])).toEqual([
      ['home/.claude/CLAUDE.md', 'mine'],
      ['home/.claude/.credentials.json', ''],
      ['home/.claude/.hidden/a.md', ''],
      ['home/.claude/history.jsonl', ''],
      ['home/.claude/notes/style.md', 'style'],
      ['w/AGENTS.md', '@~/.c'],
    ]);
  });

  test('what the person’s file imports speaks for its own directory, not for the home', async () => {
    put({
      'home/.config/kairos/AGENTS.md': 'mine @~/clone/team.md @~/.profile',
      'home/.profile': 'profile',
      'home/.ssh/key': 'SECRET',
      'home/clone/team.md': 'team @~/.ssh/key @parts/part.md',
      'home/clone/parts/part.md': 'part @../last.md @../../.ssh/key',
      'home/clone/last.md': 'last',
      'w/x': '',
    });
    expect((await read('w')).map(([path, text]) => [path, text?.split(' ')[0]])).toEqual([
      ['home/.ssh/key', ''],
      ['home/clone/last.md', 'last'],
      ['home/clone/parts/part.md', 'part'],
      ['home/clone/team.md', 'team'],
      ['home/.profile', 'profile'],
      ['home/.config/kairos/AGENTS.md', 'mine'],
    ]);
  });

  test('is text of regular files alone', async () => {
    put({ 'w/AGENTS.md': 'main @binary @pipe', 'w/binary': new Uint8Array([1, 0, 2]) });
    execFileSync('mkfifo', [join(root, 'w/pipe')]);
    expect(await read('w')).toEqual([
      ['w/binary', '', 'not read: it is not a text file'],
      ['w/pipe', '', 'not read: it is not a regular file'],
      ['w/AGENTS.md', 'main @binary @pipe', null],
    ]);
  });
});

describe('how much of them is read', () => {
  test('at most 60 files and 500 imports, and the file that names more says so', async () => {
    const many = (name: string): string =>
      Array.from({ length: 5_000 }, (_, at) => `@${name}${at}`).join(' ');
    const there = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`v/f${at}`, `text ${at}`]));
    put({ 'w/AGENTS.md': `@a.md ${many('m')}`, 'w/a.md': many('a') });
    put({ ...there, 'v/AGENTS.md': many('f') });
    const note = 'not all that it imports was read: at most 60 files, 500 imports';
    const started = performance.now();
    const [missing, found] = [await read('w'), await read('v')];
    expect({
      missing: missing.map(([path, , told]) => [path, told?.split('; ').at(-1)]),
      found: [found.length, found.at(-1)?.[0], found.at(-1)?.[2]],
      quick: performance.now() - started < 15_000,
    }).toEqual({
      missing: [
        ['w/a.md', note],
        ['w/AGENTS.md', note],
      ],
      found: [61, 'v/AGENTS.md', note],
      quick: true,
    });
  });

  test('a long file is cut and says so; all together are at most 100,000 characters', async () => {
    put({
      'w/AGENTS.md': 'a'.repeat(50_000),
      'w/CLAUDE.md': '@b.md @c.md',
      'w/b.md': 'b'.repeat(45_000),
      'w/c.md': 'c'.repeat(39_000),
    });
    expect((await read('w')).map(([path, text, note]) => [path, text?.length, note])).toEqual([
      ['w/AGENTS.md', 40_000, 'cut after 40000 characters: Read it for the rest'],
      ['w/b.md', 40_000, 'cut after 40000 characters: Read it for the rest'],
      ['w/c.md', 20_000, 'cut after 20000 characters: Read it for the rest'],
      ['w/CLAUDE.md', 0, 'cut after 0 characters: Read it for the rest'],
    ]);
  });
});

test('what changed is told whole, cut where it is long, or that it is gone', () => {
  const files = [{ path: '/w/AGENTS.md', text: 'Use tabs.', note: null }];
  expect([
    changedInstructions(files, 1_000),
    changedInstructions(files, 10),
    changedInstructions([], 10),
  ]).toEqual([
    'The instruction files changed; this is what they say now (quoted), in place of what stood in them before.\n\n## /w/AGENTS.md\n> Use tabs.',
    expect.stringContaining('[cut after 10 characters: Read the files for the rest]'),
    'The instruction files of this directory are gone: what they said no longer holds.',
  ]);
});
