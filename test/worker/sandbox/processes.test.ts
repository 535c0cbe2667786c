import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { waitFor } from '../../support/real/wait-for.ts';
import { type SandboxBench, sandboxBench, skipReason } from './support.ts';

vi.setConfig({ testTimeout: 60_000 });

let bench: SandboxBench;
beforeEach(() => {
  bench = sandboxBench();
});
afterEach(() => bench.remove());

const text = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // The process has ended meanwhile.
    return '';
  }
};

/** Living processes whose command line holds the text. */
function running(marker: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && text(`/proc/${name}/cmdline`).includes(marker))
    .map(Number);
}

/** A length of sleep that no other process has. */
const unique = (): string => `${Math.floor(process.hrtime()[1] / 1000) + 100_000}.${process.pid}`;

const ways = [
  ['without network', {}],
  ['with a way to the network', { allow: ['only.example'] }],
] as const;

describe.skipIf(skipReason !== null).each(ways)('%s', (_name, config) => {
  const options = { config: { ...config, allow: [...('allow' in config ? config.allow : [])] } };

  test('output, order and exit code are as outside', async () => {
    const command = 'echo 1; echo 2 >&2; echo 3 > /dev/stderr; cat; pwd; exit 7';
    const inside = await bench.run(command, options);
    const outside = await bench.run(command, { outside: true });
    expect(inside).toEqual(outside);
    expect(inside.end).toEqual({ why: 'exit', exit: { code: 7, signal: null }, notes: [] });
  });

  test('a command that a signal ends has the code that shells give it', async () => {
    expect((await bench.run('kill -SEGV $$', options)).end.exit).toEqual({ code: 139, signal: null });
  });

  test('nothing outlives it: not in the background, not in a session of its own, not twice forked', async () => {
    const marker = unique();
    const { output } = await bench.run(
      `sleep ${marker} & setsid sleep ${marker} & (setsid sh -c 'sleep ${marker} & sleep ${marker}' &) ; nohup sleep ${marker} >/dev/null 2>&1 & sleep 0.1; pgrep -c sleep`,
      options,
    );
    await waitFor(() => running(marker).length === 0, { what: 'the end of its children' });
    expect(Number(output)).toBeGreaterThanOrEqual(4);
  });
});

describe.skipIf(skipReason !== null).each(ways)('the end of it, %s', (_name, config) => {
  const options = { config: { ...config, allow: [...('allow' in config ? config.allow : [])] } };

  test('at its time-out it is asked to end, and ended when it does not', async () => {
    const polite = await bench.run('trap "echo bye; exit 3" TERM; while :; do sleep 0.02; done', {
      ...options,
      timeoutMs: 400,
    });
    const marker = unique();
    const deaf = await bench.run(`trap "" TERM; setsid sleep ${marker} & while :; do sleep 0.05; done`, {
      ...options,
      timeoutMs: 400,
    });
    await waitFor(() => running(marker).length === 0, { what: 'the end of its children' });
    expect([
      polite.output.includes('bye'),
      polite.end.why,
      polite.end.exit.code,
      deaf.end.why,
      deaf.end.exit.signal,
    ]).toEqual([true, 'timeout', 3, 'timeout', 'SIGKILL']);
  });

  test('an interrupt ends it', async () => {
    const stop = new AbortController();
    const marker = unique();
    const ended = bench.run(`sleep ${marker}`, { ...options, signal: stop.signal });
    await waitFor(() => running(marker).length > 0, { what: 'the command' });
    stop.abort();
    expect((await ended).end.why).toBe('interrupted');
    expect(running(marker)).toEqual([]);
  });

  test('kill -9 of the process that started it ends all of it within 5 s', async () => {
    const marker = unique();
    const fixture = fileURLToPath(new URL('fixtures/shut-in-forever.ts', import.meta.url));
    const child = fork(fixture, [marker, 'allow' in config ? 'network' : ''], { stdio: 'ignore' });
    const [{ root }] = (await once(child, 'message')) as [{ root: string }];
    await waitFor(() => running(marker).length >= 5, { what: 'what it started' });
    child.kill('SIGKILL');
    await waitFor(() => running(marker).length + running(root).length === 0, {
      what: 'the end',
      withinMs: 5_000,
    });
    rmSync(root, { recursive: true, force: true });
  });
});

describe.skipIf(skipReason !== null).each(ways)('what is left, %s', (_name, config) => {
  const options = { config: { ...config, allow: [...('allow' in config ? config.allow : [])] } };

  test('many quick commands leave no process, no mount, no descriptor, no file', async () => {
    await bench.run('true', options);
    const left = (): unknown => ({
      processes: running(bench.root).length,
      mounts: text('/proc/self/mountinfo').split('\n').length,
      descriptors: readdirSync('/proc/self/fd').length,
      files: readdirSync(join(bench.scratch, '.sandbox')).length,
    });
    const before = left();
    for (let index = 0; index < 15; index += 1) await bench.run('(sleep 60 &); true', options);
    await waitFor(() => running(bench.root).length === 0, { what: 'the end of all' });
    expect(left()).toEqual(before);
  });
});
