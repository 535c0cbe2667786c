import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../../electron/node/process-table.ts';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(() => bench.remove());

const run = (command: string, more: object = {}) => bench.call('Bash', { command, ...more });
const ok = (output: string) => ({ outcome: 'ok', output });

/** The pid that a command wrote into a file of the session directory. */
const pidIn = (file: string): number => Number(readFileSync(join(bench.dir, file), 'utf8'));

describe('what a person has to see', () => {
  test('the facts are the whole command, with what is invisible made visible in the preview only', async () => {
    const command = 'echo a\u202Eb\nls';
    expect(await bench.prepare('Bash', { command, description: 'lists' })).toEqual({
      facts: {
        tool: 'Bash',
        input: { command, description: 'lists' },
        class: 'blind',
        access: 'command',
        cwd: bench.dir,
        subject: command,
        paths: [],
        preimages: [],
        preview: 'echo a<U+202E>b\nls',
        description: 'lists',
        shell: { kind: 'unparsed', reason: 'It contains invisible characters.' },
      },
    });
  });

  test.each([
    [{}, 'Bash: "command" must be of type string'],
    [{ command: 7 }, 'Bash: "command" must be of type string'],
    [{ command: '' }, 'Bash: "command" must not be less than 1 characters'],
    [{ command: '  ' }, 'Bash: the command is empty'],
    [{ command: 'a\0b' }, 'Bash: the command contains a NUL character'],
    [{ command: 'ls', timeout: 600_001 }, 'Bash: "timeout" must not be more than 600000'],
    [{ command: 'ls', timeout: 0 }, 'Bash: "timeout" must be more than 0'],
    [{ command: 'ls', timeout: -1 }, 'Bash: "timeout" must be more than 0'],
    [{ command: 'ls', timeout: 1e12 }, 'Bash: "timeout" must not be more than 600000'],
    [null, 'Bash: the input must be of type object'],
    [{ command: 'x'.repeat(131_072) }, 'Bash: the command is longer than 128 KB'],
  ])('input %j is refused with a sentence', async (input, message) => {
    expect(await bench.prepare('Bash', input)).toEqual({ message: expect.stringContaining(message) });
  });

  test('a session directory that is gone is said before anything is decided', async () => {
    rmSync(bench.dir, { recursive: true });
    expect(await bench.prepare('Bash', { command: 'ls' })).toEqual({
      message: `Bash: the session's directory "${bench.dir}" does not exist`,
    });
  });
});

describe('what comes back', () => {
  test('stdout and stderr together in their order, also by way of /dev/stderr', async () => {
    expect(await run('echo 1; echo 2 >&2; echo 3 > /dev/stderr; echo 4 > /dev/stdout; echo 5 >&2')).toEqual(
      ok('1\n2\n3\n4\n5\n'),
    );
  });

  test('it runs in the session directory with the tools’ environment and no input', async () => {
    expect(await run('pwd; echo "$KAIROS_RUN $HOME"; cat; read x || echo none')).toEqual(
      ok(`${bench.dir}\ntest.1 ${join(bench.dir, '..')}\nnone\n`),
    );
  });

  test('exit code and signal are said, with what was printed before', async () => {
    expect([await run('echo half; exit 3'), await run('kill -SEGV $$'), await run('true')]).toEqual([
      { outcome: 'error', output: 'half\n[exit code 3]' },
      { outcome: 'error', output: '[ended by signal SIGSEGV]' },
      ok(''),
    ]);
  });

  test('bytes that are no UTF-8 and characters split between pieces survive as far as they can', async () => {
    expect(await run(`printf '\\344\\275'; sleep 0.05; printf '\\240\\377'`)).toEqual(ok('你\uFFFD'));
  });

  test('a flood is cut in the middle, kept whole in a file named by its hash, and does not grow memory', async () => {
    const before = process.memoryUsage().rss;
    const size = 40_000_000;
    const result = await run(`head -c ${size} /dev/zero | tr '\\0' x; echo the end`);
    const grown = process.memoryUsage().rss - before;
    const [, left, path = ''] =
      /\[\.\.\. (\d+) of \d+ characters left out; the whole output is in: (.*) \.\.\.\]/.exec(
        result.output,
      ) ?? [];
    const file = readFileSync(path);
    expect({
      outcome: result.outcome,
      left: Number(left),
      length: result.output.length < 31_000,
      end: result.output.endsWith('x'.repeat(100) + 'the end\n'),
      spill: [result.spill, join(bench.scratch, `${createHash('sha256').update(file).digest('hex')}.txt`)],
      bytes: file.length,
      mode: statSync(path).mode & 0o777,
      scratch: readdirSync(bench.scratch).length,
      grownBelow100Mb: grown < 100_000_000,
    }).toEqual({
      outcome: 'ok',
      left: size + 8 - 30_000,
      length: true,
      end: true,
      spill: [path, path],
      bytes: size + 8,
      mode: 0o600,
      scratch: 1,
      grownBelow100Mb: true,
    });
  }, 20_000);

  test('beyond 50 MB the file holds the beginning, and the note says so', async () => {
    const result = await run(`head -c 60000000 /dev/zero | tr '\\0' x`);
    expect([
      /the first (\d+) bytes are in/.exec(result.output)?.[1],
      statSync(result.spill ?? '').size,
    ]).toEqual(['52428800', 52_428_800]);
  }, 20_000);

  test('a scratch folder that cannot be written costs the file, not the call', async () => {
    const { facts } = await bench.prepare('Bash', {
      command: `rm -rf ${bench.scratch}; head -c 100000 /dev/zero | tr '\\0' x`,
    });
    if (facts === undefined) throw new Error('not prepared');
    const result = await bench.run(facts);
    expect([result.outcome, result.spill, /it could not be kept: ENOENT/.test(result.output)]).toEqual([
      'ok',
      undefined,
      true,
    ]);
  });
});

describe('coming to an end', () => {
  test('a time-out ends the command and says so', async () => {
    expect(await run('echo x; sleep 60', { timeout: 150 })).toEqual({
      outcome: 'error',
      output: 'x\n[stopped after its time-out of 0.15 s]',
    });
  });

  test('a child that ignores SIGTERM is killed with its whole group', async () => {
    const result = await run(
      `trap '' TERM; (trap '' TERM; echo $BASHPID > pid; while :; do sleep 0.05; done) & while :; do sleep 0.05; done`,
      {
        timeout: 300,
      },
    );
    expect(result.outcome).toBe('error');
    await expect.poll(() => isAlive(pidIn('pid'))).toBe(false);
  }, 10_000);

  test('an interrupt ends a busy loop at once', async () => {
    const stop = new AbortController();
    const running = bench.call('Bash', { command: 'echo $$ > pid; while :; do :; done' }, stop.signal);
    while (!existsSync(join(bench.dir, 'pid'))) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    expect(await running).toEqual({ outcome: 'interrupted', output: '[stopped by an interrupt]' });
    await expect.poll(() => isAlive(pidIn('pid'))).toBe(false);
  });

  test('an interrupt that came before prevents the command', async () => {
    const result = await bench.call('Bash', { command: 'echo x > made' }, AbortSignal.abort());
    expect([result.outcome, existsSync(join(bench.dir, 'made'))]).toEqual(['interrupted', false]);
  });

  test('a background process does not hold the call and is gone with it', async () => {
    expect(await run('sleep 60 & echo $! > pid; echo started')).toEqual(ok('started\n'));
    await expect.poll(() => isAlive(pidIn('pid'))).toBe(false);
  });

  test('a process that left the group and holds the pipe does not hold the call', async () => {
    const began = performance.now();
    const result = await run(
      `setsid sh -c 'echo $$ > pid; exec sleep 20' & while [ ! -s pid ]; do sleep 0.01; done; echo started`,
    );
    process.kill(pidIn('pid'), 'SIGKILL');
    expect([result, performance.now() - began < 5_000]).toEqual([ok('started\n'), true]);
  });
});
