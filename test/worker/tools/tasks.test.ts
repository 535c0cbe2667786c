import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isAlive } from '../../../electron/node/process-table.ts';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeEach(async () => {
  bench = await toolBench();
});
afterEach(async () => {
  await bench.tasks.close('lost');
  bench.remove();
});

const start = (command: string, more: object = {}) =>
  bench.call('Bash', { command, run_in_background: true, ...more });
const idOf = (output: string): string => /as (tsk_\w+);/.exec(output)?.[1] ?? '';
const fileOf = (id: string): string => join(bench.scratch, `${id}.txt`);
const endOf = (id: string) =>
  bench.asked.find(({ verb, input }) => verb === 'taskEnded' && (input as { task: string }).task === id)
    ?.input;
const pidIn = (file: string): number => Number(readFileSync(join(bench.dir, file), 'utf8'));
const until = (condition: () => boolean) =>
  expect.poll(condition, { interval: 10, timeout: 10_000 }).toBe(true);

describe('a command in the background', () => {
  test('counts as running until its end is stored: nobody lets go of the session before', async () => {
    const stored = bench.holdEnds();
    const id = idOf((await start('true')).output);
    await until(() => endOf(id) !== undefined);
    expect([bench.counts, bench.tasks.running.map((task) => task.id)]).toEqual([[1], [id]]);
    stored();
    await until(() => bench.tasks.running.length === 0);
    expect(bench.counts).toEqual([1, 0]);
  });

  test('is shown to the person as what it is', async () => {
    const { facts } = await bench.prepare('Bash', { command: 'sleep 9', run_in_background: true });
    expect([facts?.preview, facts?.subject, facts?.class]).toEqual([
      'sleep 9\n[goes on in the background]',
      'sleep 9',
      'blind',
    ]);
  });

  test('returns at once; beginning and end are told, with the last of its output', async () => {
    const result = await start('echo begun; while [ ! -e go ]; do sleep 0.02; done; echo "the end"; exit 3');
    const id = idOf(result.output);
    const output = fileOf(id);
    const began = { verb: 'taskBegan', input: { task: id, call: 'c1', title: expect.any(String), output } };
    await until(() => readFileSync(output, 'utf8') === 'begun\n');
    expect([result, bench.asked, bench.tasks.running.map((task) => task.id)]).toEqual([
      {
        outcome: 'ok',
        output: `Runs in the background as ${id}; output: ${output}. You are told when it ends; TaskStop stops it.`,
      },
      [began],
      [id],
    ]);
    writeFileSync(join(bench.dir, 'go'), '');
    await until(() => bench.counts.at(-1) === 0);
    const end = { how: 'exited', code: 3, signal: null, tail: 'begun\nthe end\n', bytes: 14 };
    expect([bench.asked, bench.counts, statSync(output).mode & 0o777]).toEqual([
      [began, { verb: 'taskEnded', input: { task: id, end } }],
      [1, 0],
      0o600,
    ]);
  });

  test('is stopped with everything it started, also what ignores SIGTERM', async () => {
    const { output } = await start(
      `trap '' TERM; (trap '' TERM; echo $BASHPID > child; while :; do sleep 0.05; done) & while :; do sleep 0.05; done`,
    );
    const id = idOf(output);
    await until(() => existsSync(join(bench.dir, 'child')) && pidIn('child') > 0);
    expect(await bench.call('TaskStop', { task_id: id })).toEqual({
      outcome: 'ok',
      output: `Stopped ${id}.`,
    });
    await expect.poll(() => isAlive(pidIn('child'))).toBe(false);
    expect([endOf(id), bench.tasks.running]).toEqual([
      { task: id, end: expect.objectContaining({ how: 'stopped', signal: 'SIGKILL' }) },
      [],
    ]);
  });

  test('ends at its time limit', async () => {
    const { output } = await start('echo x; sleep 60', { timeout: 200 });
    await until(() => endOf(idOf(output)) !== undefined);
    expect(endOf(idOf(output))).toMatchObject({ end: { how: 'timed_out', tail: 'x\n' } });
  });

  test('has a last word of any output, and keeps at most 50 MB of it in the file', async () => {
    const { output } = await start(`head -c 60000000 /dev/zero | tr '\\0' x; echo done`);
    const id = idOf(output);
    await until(() => endOf(id) !== undefined);
    const { end } = endOf(id) as { end: { tail: string; bytes: number } };
    expect([statSync(fileOf(id)).size, end.bytes, end.tail.length < 4_000, end.tail.slice(-200)]).toEqual([
      52_428_800,
      60_000_005,
      true,
      expect.stringMatching(/xdone\n\n\[the file holds the first 52428800 of 60000005 bytes\]$/),
    ]);
  }, 20_000);

  test('is one of a few: another is refused with a sentence, and the list names them', async () => {
    const [one, two, three] = [await start('sleep 60'), await start('sleep 61'), await start('sleep 62')];
    const list = await bench.call('TaskStop', {});
    expect([three, list.output, (await bench.call('TaskStop', { task_id: 'tsk_none' })).output]).toEqual([
      {
        outcome: 'error',
        output:
          'Bash: 2 background tasks run already, the most of a session; wait for one or stop one with TaskStop.',
      },
      `Running:\n${idOf(one.output)}: sleep 60 (output: ${fileOf(idOf(one.output))})\n${idOf(two.output)}: sleep 61 (output: ${fileOf(idOf(two.output))})`,
      `No background task "tsk_none" runs. ${list.output}`,
    ]);
  });

  test('that cannot be started is an error, and its end is told so that nobody waits for it', async () => {
    const { facts } = await bench.prepare('Bash', { command: 'true', run_in_background: true });
    bench.remove();
    const result = facts && (await bench.run(facts));
    expect([result?.outcome, result?.output, bench.asked.at(-1)]).toEqual([
      'error',
      expect.stringMatching(/^Bash: it could not be started: .*ENOENT.*\.$/),
      {
        verb: 'taskEnded',
        input: expect.objectContaining({ end: expect.objectContaining({ how: 'not_started' }) }),
      },
    ]);
  });

  test('ends with the lease, and nothing begins after that', async () => {
    const { output } = await start('echo $$ > pid; exec sleep 60');
    await until(() => existsSync(join(bench.dir, 'pid')) && pidIn('pid') > 0);
    await bench.tasks.close('interrupted');
    await expect.poll(() => isAlive(pidIn('pid'))).toBe(false);
    expect([endOf(idOf(output)), (await start('true')).output]).toEqual([
      { task: idOf(output), end: expect.objectContaining({ how: 'interrupted' }) },
      'Bash: the session is being put away: no background task can begin.',
    ]);
  });
});
