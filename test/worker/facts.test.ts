import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../electron/node/clock.ts';
import { createSystemIds } from '../../electron/node/ids.ts';
import { gatherFacts } from '../../electron/worker/facts/gather-facts.ts';
import type { CallFacts } from '../../shared/domain/permissions/call-facts.ts';
import { noSandbox } from '../../shared/domain/sandbox.ts';
import { factsAnswerSchema, type FactsJob } from '../../shared/protocol/facts-job.ts';
import { type ToolBench, toolBench } from './support/tool-bench.ts';

const ports = { clock: systemClock, ids: createSystemIds(systemClock) };
let bench: ToolBench;

beforeAll(async () => {
  bench = await toolBench();
  mkdirSync(join(bench.dir, 'src'));
  writeFileSync(join(bench.dir, 'src', 'a.txt'), 'old text');
  symlinkSync('/etc', join(bench.dir, 'link'));
});
afterAll(() => bench.remove());

function job(tool: string, input: FactsJob['input']): FactsJob {
  const { dir, scratch } = bench;
  return { tool, input, dir, scratch, home: join(dir, '.kairos'), sandbox: noSandbox };
}

const text = (value: string): FactsJob['input'] => ({ kind: 'text', text: value });

it.each<[string, string, unknown]>([
  ['Bash', 'cd src && npm test > ../out.txt | tee "$X"', null],
  ['Bash', 'echo $(rm -rf /) <<E\nx\nE', null],
  ['Read', 'link/passwd', null],
  ['Glob', 'src', { pattern: '**', path: 'src' }],
  ['Grep', '/etc', { pattern: '.', path: '/etc' }],
  ['WebFetch', 'https://example.com/x', { url: 'https://example.com/x' }],
])('the facts of %s on %j are those that a worker hands in', async (tool, value, input) => {
  const { facts } = await bench.prepare(
    tool,
    input ?? (tool === 'Bash' ? { command: value } : { file_path: value }),
  );
  expect(await gatherFacts(job(tool, text(value)), ports)).toEqual({ kind: 'ready', facts });
});

it.each<[string, Record<string, unknown>]>([
  ['Write', { content: 'x' }],
  ['Edit', { old_string: 'old', new_string: 'new' }],
  ['MultiEdit', { edits: [{ old_string: 'old', new_string: 'new' }] }],
])('what decides on %s follows from its path alone', async (tool, more) => {
  const deciding = ({ access, class: kind, cwd, subject, paths, tool: name }: CallFacts) => ({
    access,
    kind,
    cwd,
    subject,
    paths,
    name,
  });
  const { facts } = await bench.prepare(tool, { file_path: 'src/a.txt', ...more });
  const found = await gatherFacts(job(tool, text('src/a.txt')), ports);
  expect(found.kind === 'ready' && deciding(found.facts)).toEqual(facts && deciding(facts));
});

it('input as JSON is looked at as it is, also where it cannot run', async () => {
  const input = { kind: 'json', value: { command: 'ls', timeout: -1 } } as const;
  const { message } = await bench.prepare('Bash', input.value);
  expect([
    await gatherFacts(job('Bash', input), ports),
    await gatherFacts(job('Sleep', text('x')), ports),
    await gatherFacts(job('Nothing', text('x')), ports),
  ]).toEqual([
    { kind: 'bad', message },
    { kind: 'bad', message: 'Give the input of Sleep as JSON.' },
    { kind: 'bad', message: expect.stringContaining('There is no tool "Nothing"') },
  ]);
});

it('the program gathers them in a process of its own', async () => {
  const wanted = job('Bash', text('git push --force'));
  const program = new URL('../../electron/worker/facts/main.ts', import.meta.url).pathname;
  const printed = execFileSync(process.execPath, [program], {
    input: JSON.stringify(wanted),
    encoding: 'utf8',
  });
  const { facts } = await bench.prepare('Bash', { command: 'git push --force' });
  expect(factsAnswerSchema.parse(JSON.parse(printed))).toEqual({ kind: 'ready', facts });
  // It starts a process that loads a parser, which took more than 5 s where the processors were shared.
}, 30_000);
