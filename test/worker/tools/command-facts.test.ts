import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandFacts } from '../../../electron/worker/tools/command-facts.ts';
import { toolBench, type ToolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

const facts = (command: string) =>
  commandFacts(command, bench.dir, { dir: bench.dir, home: join(bench.dir, 'no-home') });

/** Paths of all redirections in their order, relative to the session directory. */
async function paths(command: string): Promise<string[][]> {
  const shell = await facts(command);
  if (shell.kind === 'unparsed') throw new Error(shell.reason);
  const all = [...shell.parts.flatMap(({ redirects }) => redirects), ...shell.redirects];
  return all.map((redirect) => redirect.paths.map((path) => path.replace(`${bench.dir}/`, '')));
}

describe('where a redirection leads', () => {
  beforeEach(() => {
    mkdirSync(join(bench.dir, 'sub/deep'), { recursive: true });
    writeFileSync(join(bench.dir, 'file'), '');
    symlinkSync('file', join(bench.dir, 'link'));
    symlinkSync('sub/deep', join(bench.dir, 'down'));
    symlinkSync('gone', join(bench.dir, 'dangling'));
  });

  test.each<[string, string[][]]>([
    ['echo a > new', [['new']]],
    ['echo a > file', [['file']]],
    ['echo a > ./sub/../file', [['file']]],
    ['echo a > link', [['file', 'link']]],
    ['echo a > dangling', [['gone', 'dangling']]],
    ['echo a > down/x', [['sub/deep/x', 'down/x']]],
    ['cat < link', [['file', 'link']]],
    ['{ echo a; } > file', [['file']]],
    ['echo a > /dev/null 2>&1', [['/dev/null'], []]],
    ['echo a > "$x"', [[]]],
    ['echo a > *', [[]]],
    ['echo a > ~/x', [[]]],
    ['echo a > ""', [[]]],
    ['cd sub; echo a > file', [[]]],
    ['echo a > file; cd sub', [[]]],
    ['(cd sub) ; echo a > /tmp/../tmp-file', [['/tmp-file']]],
    ['pushd sub && echo a > file', [[]]],
    ['command cd sub; echo a > file', [[]]],
    ['eval "cd sub"; echo a > file', [[]]],
    ['. ./file; echo a > file', [[]]],
    ['$x sub; echo a > file', [[]]],
    ['f() { cd sub; }; echo a > file', [[]]],
  ])('%s', async (command, expected) => {
    expect(await paths(command)).toEqual(expected);
  });

  test('up from a link is up from what it leads to, as the system sees it', async () => {
    const [first] = await paths('echo a > down/../x');
    expect(first).toContain('sub/x');
  });
});

test('words that are links come with what they lead to, seen from where the command goes too', async () => {
  mkdirSync(join(bench.dir, 'sub/deep'), { recursive: true });
  writeFileSync(join(bench.dir, 'file'), '');
  symlinkSync('../file', join(bench.dir, 'sub/link'));
  const led = async (command: string): Promise<unknown> => {
    const shell = await facts(command);
    return (
      shell.kind === 'parsed' && shell.parts.at(-1)?.leadsTo?.map((path) => path.slice(bench.dir.length))
    );
  };
  expect([
    await led('cat sub/link'),
    await led('cat -- "sub"/link'),
    await led('cd sub && cat link'),
    await led('cat file sub/deep/../../file'),
    await led('cat "$x"'),
  ]).toEqual([['/file'], ['/file'], ['/file'], undefined, undefined]);
});

describe('where cd goes', () => {
  beforeEach(() => {
    mkdirSync(join(bench.dir, 'sub/deep'), { recursive: true });
    symlinkSync('/', join(bench.dir, 'out'));
    symlinkSync('sub/deep', join(bench.dir, 'down'));
  });

  test.each<[string, string | null]>([
    ['cd sub && ls', 'sub'],
    ['cd -- sub && ls', 'sub'],
    ['cd ./sub/deep', 'sub/deep'],
    ['cd down', 'sub/deep'],
    ['cd out', '/'],
    ['cd ..', '..'],
    ['cd down/..', null],
    ['cd -', null],
    ['cd', null],
    ['cd -P sub', null],
    ['cd $x', null],
    ['cd sub; cd deep', null],
    ['cd sub other', null],
  ])('%s', async (command, expected) => {
    const shell = await facts(command);
    const goesTo = shell.kind === 'parsed' ? (shell.parts[0]?.goesTo ?? null) : 'unparsed';
    const wanted = expected === null || expected === '/' ? expected : join(bench.dir, expected);
    expect(goesTo).toBe(wanted);
  });
});
