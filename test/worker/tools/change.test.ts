import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../electron/node/clock.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

const at = (name: string): string => join(bench.dir, name);
const put = (name: string, content: string | Uint8Array): void => writeFileSync(at(name), content);
const text = (name: string): string => readFileSync(at(name), 'utf8');
const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
const write = (file_path: string, content: string) => bench.call('Write', { file_path, content });
const edit = (file_path: string, old_string: string, new_string: string, more: object = {}) =>
  bench.call('Edit', { file_path, old_string, new_string, ...more });
const error = (output: string) => ({ outcome: 'error', output });

describe('Write', () => {
  test('shows a new file whole, and makes its folders', async () => {
    const prepared = await bench.prepare('Write', { file_path: 'deep/er/a.txt', content: 'hi\u200B\n' });
    const path = at('deep/er/a.txt');
    expect(prepared).toEqual({
      facts: {
        tool: 'Write',
        input: { file_path: 'deep/er/a.txt', content: 'hi\u200B\n' },
        class: 'blind',
        access: 'write',
        cwd: bench.dir,
        subject: path,
        paths: [path],
        preimages: [{ path, sha256: null }],
        preview: `${path}\nnew file:\n\nhi<U+200B>\n`,
        description: '',
      },
    });
    expect(prepared.facts && (await bench.run(prepared.facts))).toEqual({
      outcome: 'ok',
      output: `Wrote ${path}.`,
    });
    expect([text('deep/er/a.txt'), readdirSync(at('deep/er'))]).toEqual(['hi\u200B\n', ['a.txt']]);
  });

  test('shows a diff for an existing file, keeps its mode and follows a link to it', async () => {
    put('real.sh', 'one\ntwo\n');
    chmodSync(at('real.sh'), 0o755);
    symlinkSync('real.sh', at('link.sh'));
    const { facts } = await bench.prepare('Write', { file_path: 'link.sh', content: 'one\n2\n' });
    const path = at('real.sh');
    expect([facts?.preview, facts?.preimages]).toEqual([
      `--- ${path}\n+++ ${path}\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n`,
      [{ path, sha256: sha256('one\ntwo\n') }],
    ]);
    if (facts) await bench.run(facts);
    expect([text('link.sh'), statSync(path).mode & 0o777]).toEqual(['one\n2\n', 0o755]);
  });

  test('binary and very different files are shown by their whole new content', async () => {
    put('bin', new Uint8Array([1, 0, 2]));
    put('other', Array.from({ length: 4_000 }, (_, n) => `old ${n}`).join('\n'));
    const content = Array.from({ length: 4_000 }, (_, n) => `new ${n}`).join('\n');
    const previews = [
      (await bench.prepare('Write', { file_path: 'bin', content: 'text' })).facts?.preview,
      (await bench.prepare('Write', { file_path: 'other', content })).facts?.preview,
    ];
    expect(previews).toEqual([
      `${at('bin')}\nreplaces 3 bytes that cannot be shown by:\n\ntext`,
      `${at('other')}\nreplaces the whole content (${statSync(at('other')).size} bytes) by:\n\n${content}`,
    ]);
  });

  const changed = 'changed since it was approved; read it again.';
  test.each([
    ['changed', () => put('a.txt', 'other'), changed],
    ['removed', () => rmSync(at('a.txt')), changed],
    [
      'replaced by a link',
      () => (rmSync(at('a.txt')), put('b.txt', 'old'), symlinkSync('b.txt', at('a.txt'))),
      'now leads somewhere else; call it again.',
    ],
  ])('a file that was %s since it was approved is left alone', async (_how, change, said) => {
    put('a.txt', 'old');
    const { facts } = await bench.prepare('Write', { file_path: 'a.txt', content: 'new' });
    change();
    const result = facts && (await bench.run(facts));
    expect(result).toEqual(error(`"${at('a.txt')}" ${said}`));
    expect(existsSync(at('a.txt')) ? text('a.txt') : null).not.toBe('new');
  });

  test('a file that appeared since a new one was approved is left alone', async () => {
    const { facts } = await bench.prepare('Write', { file_path: 'a.txt', content: 'new' });
    put('a.txt', 'theirs');
    expect(facts && (await bench.run(facts))).toMatchObject({ outcome: 'error' });
    expect([text('a.txt'), readdirSync(bench.dir)]).toEqual(['theirs', ['a.txt']]);
  });

  test('what cannot be written is said: a directory, a device, a path through a file, too much', async () => {
    mkdirSync(at('sub'));
    put('file', 'x');
    expect([
      await write('sub', 'x'),
      await write('/dev/null', 'x'),
      await write('file/x', 'x'),
      await write('big', 'x'.repeat(4 * 1024 * 1024 + 1)),
      await write('big', '\0'.repeat(2 * 1024 * 1024)),
    ]).toEqual([
      error(`Write: "${at('sub')}" is a directory`),
      error('Write: "/dev/null" is a device, pipe or socket'),
      error(`Write: "${at('file/x')}" leads through something that is not a directory`),
      error(
        `Write: "${at('big')}" would have 4194305 bytes; at most 4 MB can be written at once, more with Bash`,
      ),
      error(
        'Write: the input is too large (28673 KB with what the person has to see; at most 16384 KB). Do it in smaller parts.',
      ),
    ]);
  });
});

describe('Edit', () => {
  test('replaces the one place, shown as a diff', async () => {
    put('a.txt', 'a\nb\nc\n');
    const { facts } = await bench.prepare('Edit', { file_path: 'a.txt', old_string: 'b', new_string: 'B$&' });
    expect(facts?.preview).toBe(
      `--- ${at('a.txt')}\n+++ ${at('a.txt')}\n@@ -1,3 +1,3 @@\n a\n-b\n+B$&\n c\n`,
    );
    expect(facts && (await bench.run(facts))).toEqual({ outcome: 'ok', output: `Changed ${at('a.txt')}.` });
    expect(text('a.txt')).toBe('a\nB$&\nc\n');
  });

  test('that cannot be made outside the session directory is decided on first: what stands in the file is told to nobody before', async () => {
    const path = join(bench.scratch, '..', 'outside.txt');
    writeFileSync(path, 'secret secret');
    const guesses = ['secret', 'guess', ''].map((old_string) => ({
      file_path: path,
      old_string,
      new_string: 'x',
    }));
    const prepared = await Promise.all(guesses.map((guess) => bench.prepare('Edit', guess)));
    const told = prepared.map(({ facts }) => facts?.preview.split('\n')[1]);
    const [facts] = prepared.flatMap(({ facts: found }) => found ?? []);
    const ran = facts && (await bench.run(facts));
    const sentence = 'This change cannot be made; the agent is told why once it was allowed.';
    expect([told, ran?.outcome, ran?.output.includes('2 times'), readFileSync(path, 'utf8')]).toEqual([
      [sentence, sentence, sentence],
      'error',
      true,
      'secret secret',
    ]);
  });

  test('replaces every place when told to', async () => {
    put('a.txt', 'x x x');
    await edit('a.txt', 'x', 'yy', { replace_all: true });
    expect(text('a.txt')).toBe('yy yy yy');
  });

  test('what cannot be edited is said and nothing changes', async () => {
    put('a.txt', 'x x\r\ny');
    put('bin', new Uint8Array([0]));
    const path = at('a.txt');
    expect([
      await edit('a.txt', 'x', 'y'),
      await edit('a.txt', 'z', 'y'),
      await edit('a.txt', 'x\ny', 'y'),
      await edit('a.txt', 'y', 'y'),
      await edit('a.txt', '', 'y'),
      await edit('nope', 'x', 'y'),
      await edit('bin', 'x', 'y'),
      text('a.txt'),
    ]).toEqual([
      error(
        `Edit: "${path}" contains old_string 2 times: give more of the text around it, or set replace_all`,
      ),
      error(`Edit: "${path}" does not contain old_string; read the file again and copy it exactly`),
      error(`Edit: "${path}" does not contain old_string; its lines end in CR LF, write them so`),
      error(`Edit: "${path}" would not change: old_string and new_string are equal`),
      error(`Edit: "${path}" cannot be edited: old_string is empty; use Write for a new file`),
      error(`Edit: "${at('nope')}" does not exist`),
      error(`Edit: "${at('bin')}" is binary and cannot be edited`),
      'x x\r\ny',
    ]);
  });
});

test('files above the limits are refused before their content is read', async () => {
  for (const [name, size] of [
    ['edited', 3_000_000],
    ['written', 5_000_000_000],
  ] as const) {
    put(name, '');
    truncateSync(at(name), size);
  }
  const began = systemClock.monotonic();
  expect([
    await edit('edited', 'x', 'y'),
    await edit('written', 'x', 'y'),
    await bench.call('Write', { file_path: 'written', content: 'x' }),
    systemClock.monotonic() - began < 1_000,
  ]).toEqual([
    error(`Edit: "${at('edited')}" is larger than 2 MB, the limit of this tool; change it with Bash`),
    error(`Edit: "${at('written')}" is larger than 2 MB, the limit of this tool; change it with Bash`),
    error(`Write: "${at('written')}" is larger than 64 MB, the limit of this tool; change it with Bash`),
    true,
  ]);
});

test('a file between the two limits can be replaced, and its preimage is its hash', async () => {
  put('large', 'x'.repeat(3_000_000));
  const { facts } = await bench.prepare('Write', { file_path: 'large', content: 'small' });
  const { outcome } = await bench.run(facts as CallFacts);
  expect([facts?.preimages, outcome, text('large')]).toEqual([
    [{ path: at('large'), sha256: sha256('x'.repeat(3_000_000)) }],
    'ok',
    'small',
  ]);
});

describe('other tools', () => {
  test('host tools are described and left to the daemon', async () => {
    const { facts } = await bench.prepare('SendUserMessage', { message: 'hi' });
    expect(facts).toMatchObject({ class: 'local', access: 'person', preview: 'hi', paths: [], subject: '' });
    expect(facts && (await bench.run(facts))).toMatchObject({ outcome: 'error' });
  });

  test('an unknown tool is named with those that exist', async () => {
    expect(await bench.prepare('Teleport', {})).toEqual({
      message:
        'There is no tool "Teleport". There is: Bash, Read, Write, Edit, Glob, Grep, SendUserMessage, AskUserQuestion. Through UseTool: MultiEdit, TaskStop, WebFetch, transcript_search, send_user_file, TodoWrite, NoReply, ExitPlanMode, Sleep (FindTools shows how).',
    });
  });
});
