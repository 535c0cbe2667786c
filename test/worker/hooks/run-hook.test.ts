import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../../electron/node/clock.ts';
import { type HookCommand, runHook } from '../../../electron/worker/hooks/run-hook.ts';
import { isLiving } from '../../support/real/processes.ts';
import { waitFor } from '../../support/real/wait-for.ts';

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'kairos-hook-')));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const never = new AbortController().signal;

function run(command: string, more: Partial<HookCommand> = {}, signal: AbortSignal = never) {
  const environment = async () => ({ PATH: process.env.PATH ?? '/usr/bin:/bin', OWN: 'yes' });
  return runHook(
    { command, dir, environment, input: '{"a":1}', timeoutMs: 10_000, ...more },
    signal,
    systemClock,
  );
}

test.each<[string, string, unknown]>([
  [
    'reads its input and writes',
    'cat; echo " $OWN" >&2; pwd; exit 3',
    { end: 'exit', code: 3, stdout: `{"a":1}${dir}\n`, stderr: ' yes\n' },
  ],
  ['reads nothing', 'exit 0', { end: 'exit', code: 0, stdout: '', stderr: '' }],
  ['is killed', 'kill -9 $$', { end: 'signal', signal: 'SIGKILL' }],
  ['writes without end', 'yes', { end: 'flood', bytes: 1024 * 1024 }],
  ['writes without end on stderr', 'yes >&2', { end: 'flood', bytes: 1024 * 1024 }],
])('a hook that %s', async (_what, command, end) => {
  expect(await run(command)).toEqual(end);
});

test('a large input that nobody reads holds nothing up', async () => {
  expect(await run('exit 0', { input: 'x'.repeat(5_000_000) })).toMatchObject({ end: 'exit', code: 0 });
});

test('a hook that hangs ends within its time, with all that it started, also what ignores signals', async () => {
  const file = join(dir, 'child');
  const command = `(trap '' TERM INT HUP; sleep 600) & echo $! > ${file}; sleep 600`;
  const began = performance.now();
  const end = await run(command, { timeoutMs: 700 });
  const child = Number(readFileSync(file, 'utf8'));
  await waitFor(() => !isLiving(child), { what: 'the end of the child' });
  expect([end, performance.now() - began < 12_000]).toEqual([{ end: 'timeout', ms: 700 }, true]);
});

test('what a hook leaves running is ended with it, and does not hold its answer up', async () => {
  const file = join(dir, 'left');
  const end = await run(`sleep 600 & echo $! > ${file}; echo done`);
  await waitFor(() => !isLiving(Number(readFileSync(file, 'utf8'))), { what: 'the end of what was left' });
  expect(end).toEqual({ end: 'exit', code: 0, stdout: 'done\n', stderr: '' });
});

test('an environment that never comes counts against its time', async () => {
  const environment = () => new Promise<Record<string, string>>(() => undefined);
  expect(await run('exit 0', { environment, timeoutMs: 50 })).toEqual({ end: 'timeout', ms: 50 });
});

test('it is ended when its answer is not wanted any more, and not begun when it never was', async () => {
  const stop = new AbortController();
  const running = run(`echo begun > ${join(dir, 'begun')}; sleep 600`, {}, stop.signal);
  await waitFor(() => readFileSync(join(dir, 'begun'), 'utf8') === 'begun\n', { what: 'its beginning' });
  stop.abort();
  expect([await running, await run('exit 0', {}, stop.signal)]).toEqual([{ end: 'cut' }, { end: 'cut' }]);
});

test('a directory that is gone is a failure of the hook', async () => {
  expect(await run('exit 0', { dir: join(dir, 'gone') })).toMatchObject({ end: 'unstarted' });
});
