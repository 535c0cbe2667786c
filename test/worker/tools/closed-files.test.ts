import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantedBy } from '../../../electron/worker/agent/granted.ts';
import { linkNames } from '../../../electron/worker/tools/link-names.ts';
import { createSessionTools } from '../../../electron/worker/tools/session-tools.ts';
import { allTools } from '../../../electron/worker/tools/tool-table.ts';
import { hiddenInSearch } from '../../../shared/domain/permissions/policy.ts';
import { rulesOf } from '../../shared/domain/permissions/support.ts';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
  for (const name of ['a.txt', 'secrets/key.txt', 'secrets/public.txt', 'src/deep/x.pem', 'src/x.txt'])
    put(name);
});
afterEach(() => bench.remove());

function put(name: string): void {
  mkdirSync(dirname(join(bench.dir, name)), { recursive: true });
  writeFileSync(join(bench.dir, name), 'word\n');
}

/** What a search shows under rules, with what the daemon's grant would leave out. */
async function search(tool: string, input: object, rules: readonly string[]): Promise<string[]> {
  const tools = createSessionTools(allTools, bench.context);
  const call = { id: 'c1', tool, input };
  const prepared = await tools.prepare(call);
  if (prepared.kind === 'bad') throw new Error(prepared.message);
  const { facts } = prepared;
  const self = { home: bench.context.home, scratch: bench.scratch, words: [] };
  const policy = { facts, mode: 'default', dir: bench.dir, self, rules: rulesOf(rules, bench.dir) } as const;
  const hidden = hiddenInSearch(policy).map((patterns) => [...patterns]);
  const { output } = await tools.execute(
    grantedBy({ kind: 'granted', hidden }, call, facts),
    new AbortController().signal,
  );
  return output.split('\n').toSorted();
}

const note = '[files that permission rules keep closed are left out]';

describe('a search leaves out what rules keep closed and says so', () => {
  test.each([
    [
      'Grep',
      { pattern: 'word' },
      ['deny Read(secrets/**)', 'deny Read(*.pem)'],
      ['a.txt', 'src/x.txt', note],
    ],
    [
      'Grep',
      { pattern: 'word', output_mode: 'content' },
      ['deny Read(secrets)', 'deny Read(src)'],
      ['a.txt:1:word', note],
    ],
    ['Grep', { pattern: 'word', output_mode: 'count' }, ['deny Read(s*)'], ['a.txt:1', note]],
    [
      'Glob',
      { pattern: '**/*' },
      ['deny Read(src/)', 'ask Read(secrets/key.txt)'],
      ['a.txt', 'secrets/public.txt', note],
    ],
    ['Glob', { pattern: '**/*.{txt,pem}' }, ['deny Read(/src)', 'deny Read(secrets)'], ['a.txt', note]],
    // Exceptions of the same list hold.
    [
      'Glob',
      { pattern: 'secrets/*' },
      ['deny Read(secrets/*.txt)', 'deny Read(!secrets/public.txt)'],
      ['secrets/public.txt', note],
    ],
    ['Grep', { pattern: 'word', path: 'src' }, ['deny Read(secrets/**)'], ['src/deep/x.pem', 'src/x.txt']],
    ['Grep', { pattern: 'nothing' }, ['deny Read(secrets/**)'], [`[nothing in DIR matches]`]],
    // Who was asked about the place as a whole has answered for it.
    [
      'Grep',
      { pattern: 'word', path: 'secrets' },
      ['ask Read(secrets/**)'],
      ['secrets/key.txt', 'secrets/public.txt'],
    ],
  ])('%s %o under %j', async (tool, input, rules, shown) => {
    const wanted = shown.map((line) => line.replace('DIR', bench.dir));
    expect(await search(tool, input, rules)).toEqual(wanted.toSorted());
  });
});

describe('names of a path through links', () => {
  test('are those of every link on the way, but not of the way to the session', async () => {
    const at = (name: string): string => join(bench.dir, name);
    symlinkSync('two', at('one'));
    symlinkSync('src', at('two'));
    symlinkSync('/etc', at('out'));
    symlinkSync('loop', at('loop'));
    symlinkSync(bench.dir, join(dirname(bench.dir), 'again'));
    const given = join(dirname(bench.dir), 'again');
    const names = (path: string, chosen: readonly string[] = []) => linkNames(path, chosen);
    expect([
      await names(at('a.txt')),
      await names(at('one/x.txt')),
      await names(at('out/hosts')),
      await names(at('missing/x')),
      (await names(at('loop'))).length,
      await names(join(given, 'a.txt')),
      await names(join(given, 'a.txt'), [given]),
      await names(join(given, 'two/x.txt'), [given]),
    ]).toEqual([
      [],
      [at('one/x.txt'), at('two/x.txt')],
      [at('out/hosts')],
      [],
      40,
      [join(given, 'a.txt')],
      [],
      [at('two/x.txt')],
    ]);
  });

  test('are paths of the call', async () => {
    symlinkSync('src', join(bench.dir, 'link'));
    const paths = async (tool: string, input: object) => (await bench.prepare(tool, input)).facts?.paths;
    const [real, named] = [join(bench.dir, 'src/x.txt'), join(bench.dir, 'link/x.txt')];
    expect([
      await paths('Read', { file_path: 'link/x.txt' }),
      await paths('Write', { file_path: 'link/x.txt', content: '' }),
      await paths('Grep', { pattern: 'x', path: 'link/x.txt' }),
      await paths('Read', { file_path: 'src/x.txt' }),
    ]).toEqual([[real, named], [real, named], [real, named], [real]]);
  });
});
