import { afterAll, beforeAll, expect, test } from 'vitest';
import { allTools } from '../../../electron/worker/tools/tool-table.ts';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeAll(async () => {
  bench = await toolBench();
});
afterAll(() => bench.remove());

const inputs: Readonly<Record<string, unknown>> = {
  Bash: { command: 'ls' },
  Read: { file_path: 'a.txt' },
  Write: { file_path: 'a.txt', content: '' },
  Glob: { pattern: '*' },
  Grep: { pattern: 'x' },
  TaskStop: {},
  WebFetch: { url: 'https://example.com/' },
  transcript_search: { term: 'x' },
};

test('the tools that no "*" and no broken settings make ask keep to the conversation or stop a background task', async () => {
  const free: string[] = [];
  for (const { name } of allTools) {
    const { facts } = await bench.prepare(name, inputs[name] ?? {});
    if (facts?.access === 'person') free.push(name);
  }
  expect(free.toSorted()).toEqual([
    'AskUserQuestion',
    'Brief',
    'ExitPlanMode',
    'NoReply',
    'SendUserMessage',
    'Sleep',
    'TaskStop',
    'TodoWrite',
    'send_user_file',
  ]);
});
