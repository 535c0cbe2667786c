import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ripgrepProgram } from '../../../electron/worker/tools/search/ripgrep.ts';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

const at = (name: string): string => join(bench.dir, name);
/** Writes files; each is a second older than the one before. */
const put = (files: Record<string, string | Uint8Array>): void => {
  for (const [index, [name, content]] of Object.entries(files).entries()) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
    utimesSync(at(name), 2_000_000_000 - index, 2_000_000_000 - index);
  }
};
const glob = async (pattern: string, more: object = {}, signal?: AbortSignal) =>
  (await bench.call('Glob', { pattern, ...more }, signal)).output.split('\n');
const grep = async (pattern: string, more: object = {}) =>
  (await bench.call('Grep', { pattern, ...more })).output.split('\n');

describe('Glob', () => {
  test('asks to read the directory in which it begins', async () => {
    put({ 'src/a.ts': '' });
    const facts = {
      tool: 'Glob',
      input: { pattern: 'src/*.ts' },
      class: 'pure',
      access: 'read',
      cwd: bench.dir,
      subject: at('src'),
      paths: [at('src')],
      preimages: [],
      preview: `*.ts\nin ${at('src')}`,
      description: '',
    };
    symlinkSync('/usr', at('link'));
    expect([
      (await bench.prepare('Glob', { pattern: 'src/*.ts' })).facts,
      (await bench.prepare('Glob', { pattern: '**/*', path: 'link' })).facts?.paths,
      (await bench.prepare('Glob', { pattern: '../**' })).facts?.paths,
      (await bench.prepare('Glob', { pattern: '/etc/*.conf' })).facts?.paths,
    ]).toEqual([facts, ['/usr', at('link')], [dirname(bench.dir)], ['/etc']]);
  });

  test('finds files at the depth the pattern says, the newest first', async () => {
    put({ 'old/b.ts': '', 'a.ts': '', 'src/deep/c.ts': '', 'src/d.md': '' });
    expect([
      await glob('**/*.ts'),
      await glob('*.ts'),
      await glob('src/**'),
      await glob('{src,old}/*.{md,ts}'),
      await glob('*.md', { path: 'src' }),
      await glob('*.none'),
    ]).toEqual([
      ['old/b.ts', 'a.ts', 'src/deep/c.ts'],
      ['a.ts'],
      ['src/deep/c.ts', 'src/d.md'],
      ['old/b.ts', 'src/d.md'],
      ['src/d.md'],
      [`[no file in ${bench.dir} matches *.none]`],
    ]);
  });

  test('leaves out what Git ignores, its own folder, the home of Kairos and what links lead to', async () => {
    put({
      '.gitignore': 'out/\n',
      'out/x.js': '',
      '.git/config': '',
      '.kairos/settings.json': '{}',
      '.github/ci.yml': '',
      'a.js': '',
    });
    symlinkSync('/etc', at('etc'));
    expect([
      await glob('**/*'),
      await glob('**/.*/*'),
      await glob('**/{.*,*}'),
      await glob('*.js', { path: 'out' }),
      await glob('**/passwd'),
    ]).toEqual([
      ['a.js'],
      ['.github/ci.yml'],
      ['.gitignore', 'a.js'],
      ['out/x.js'],
      [`[no file in ${bench.dir} matches **/passwd]`],
    ]);
  });

  test('strange names are found and shown so that a line stays one name', async () => {
    put({ '-rf.txt': '', 'two\nlines.txt': '', '你好.txt': '' });
    const odd = Buffer.concat([Buffer.from(`${bench.dir}/`), Buffer.from([0xff]), Buffer.from('.txt')]);
    writeFileSync(odd, '');
    utimesSync(odd, 1, 1);
    expect([await glob('-*'), await glob('**/*.txt')]).toEqual([
      ['-rf.txt'],
      [
        '-rf.txt',
        '"two\\nlines.txt"',
        '你好.txt',
        '\uFFFD.txt',
        '[\uFFFD stands for bytes that are no UTF-8]',
      ],
    ]);
  });

  test('50,000 files take few descriptors, and the count of what is not shown is said', async () => {
    // A thousand files and links to them: a third less work than as many files.
    const make =
      'mkdir 1; seq -f "1/%g.txt" 1000 | xargs touch; for folder in $(seq 2 50); do cp -al 1 $folder; done';
    execFileSync('sh', ['-c', make], { cwd: bench.dir });
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, readdirSync('/proc/self/fd').length);
    }, 5);
    const lines = await glob('**/*.txt');
    clearInterval(watch);
    expect([lines.length, lines.at(-1), most < 200]).toEqual([
      251,
      '[the newest 250 of 50000 files; narrow the pattern]',
      true,
    ]);
    // 7 s on a busy machine of two cores: making, listing and removing that many names waits for its disk.
  }, 240_000);

  test('what cannot be searched is said', async () => {
    put({ file: '' });
    const said = async (input: object) => (await bench.prepare('Glob', input)).message;
    expect([
      await said({ pattern: '*', path: 'none' }),
      await said({ pattern: '*', path: 'file' }),
      await said({ pattern: '' }),
      (await bench.call('Glob', { pattern: '*' }, AbortSignal.abort())).outcome,
    ]).toEqual([
      `Glob: "${at('none')}" does not exist`,
      `Glob: "${at('file')}" is a file; name a directory`,
      'Glob: "pattern" must not be less than 1 characters. Nothing was done; call it again with valid input.',
      'interrupted',
    ]);
  });
});

describe('Grep', () => {
  test('names files, shows lines with numbers and context, or counts', async () => {
    put({ 'b.txt': 'one\ntwo\nthree\n', 'sub/a.ts': 'two two\r\nTWO\n' });
    expect([
      await grep('two'),
      await grep('two', { output_mode: 'content' }),
      await grep('two', { output_mode: 'content', '-n': false, '-i': true, glob: '*.ts' }),
      await grep('two', { output_mode: 'content', '-C': 1, type: 'txt' }),
      await grep('two', { output_mode: 'count', '-i': true }),
      await grep('one.two', { multiline: true, output_mode: 'content' }),
      await grep('nowhere'),
      await grep('two', { path: 'b.txt', output_mode: 'content' }),
    ]).toEqual([
      ['b.txt', 'sub/a.ts'],
      ['b.txt:2:two', 'sub/a.ts:1:two two'],
      ['sub/a.ts:two two', 'sub/a.ts:TWO'],
      ['b.txt-1-one', 'b.txt:2:two', 'b.txt-3-three'],
      ['b.txt:1', 'sub/a.ts:3'],
      ['b.txt:1:one', 'b.txt:2:two'],
      [`[nothing in ${bench.dir} matches]`],
      ['b.txt:2:two'],
    ]);
  });

  test('a pattern that begins with a dash is a pattern', async () => {
    put({ 'a.txt': 'x --files y\n' });
    expect(await grep('--files', { output_mode: 'content' })).toEqual(['a.txt:1:x --files y']);
  });

  test('a wrong pattern or type is answered with one short sentence', async () => {
    put({ 'a.txt': 'x' });
    expect([
      await bench.call('Grep', { pattern: '(unclosed' }),
      await bench.call('Grep', { pattern: 'x', type: 'nonsense' }),
      await bench.call('Grep', { pattern: 'x', glob: '[' }),
      (await bench.prepare('Grep', { pattern: 'a\0b' })).message,
      (await bench.prepare('Grep', { pattern: 'x', '-A': -1 })).message,
    ]).toEqual([
      { outcome: 'error', output: 'Grep: the pattern is not a valid regular expression: unclosed group.' },
      { outcome: 'error', output: 'Grep: unrecognized file type: nonsense.' },
      { outcome: 'error', output: expect.stringMatching(/^Grep: .*glob.*\.$/) },
      'Grep: pattern, glob and type must not contain a NUL character',
      expect.stringContaining('"-A" must not be less than 0'),
    ]);
  });

  test('stops at its limits and says so', async () => {
    put({ 'many.txt': 'x\n'.repeat(5_000), 'long.txt': `${'x'.repeat(5_000)}\n`.repeat(100) });
    const [few, long] = [
      await grep('x', { path: 'many.txt', output_mode: 'content', head_limit: 3 }),
      await grep('x', { path: 'long.txt', output_mode: 'content' }),
    ];
    expect([few, long.join('\n').length < 31_000, long.at(-1)]).toEqual([
      [
        'many.txt:1:x',
        'many.txt:2:x',
        'many.txt:3:x',
        '[the first 3 are shown, there are more: narrow the search or raise head_limit]',
      ],
      true,
      '[cut after 30000 characters, there is more: narrow the search]',
    ]);
  });

  test('does not look into binary files, ignored files, the home of Kairos or through links', async () => {
    put({
      '.gitignore': 'out\n',
      'out/a.txt': 'needle',
      '.kairos/token': 'needle',
      bin: new Uint8Array([0, ...Buffer.from('needle')]),
      '.hidden': 'needle',
      'utf16.txt': Buffer.from('\uFEFFneedle', 'utf16le'),
    });
    mkdirSync(join(dirname(bench.dir), 'other'));
    writeFileSync(join(dirname(bench.dir), 'other', 'secret'), 'needle');
    symlinkSync(join(dirname(bench.dir), 'other'), at('link'));
    mkdirSync(at('.git'));
    expect([await grep('needle'), await grep('needle', { glob: '**' })]).toEqual([
      ['.hidden', 'utf16.txt'],
      expect.not.arrayContaining(['.kairos/token']),
    ]);
  });
});

test('a program that is missing is said with what to do', async () => {
  const missing = () => Promise.reject(new Error('Could not find @vscode/ripgrep-x'));
  await expect(ripgrepProgram(missing)).rejects.toThrow(
    'ripgrep is not installed for this system (Could not find @vscode/ripgrep-x). Run "npm ci" where Kairos is installed; until then search with Bash: grep, find.',
  );
});
