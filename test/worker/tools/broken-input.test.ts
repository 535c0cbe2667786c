import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ToolBench, toolBench } from '../support/tool-bench.ts';

let bench: ToolBench;
beforeAll(async () => {
  bench = await toolBench();
});
afterAll(() => bench.remove());

test.each([
  ['Bash', '{"command": "ls', 'Unterminated string in JSON at position 15; its end: "{\\"command\\": \\"ls"'],
  ['SendUserMessage', '{"message": "hi",}', 'Expected double-quoted property name in JSON at position 17'],
  ['Read', 'nope', "Unexpected token 'o'"],
  ['Write', '', 'Unexpected end of JSON input; its end: ""'],
  ['Bash', '"ls"', 'it was string'],
])('%s with the input %s is not run; the model reads where it broke', async (tool, raw, why) => {
  const { message = '' } = await bench.prepare(tool, raw);
  expect([message, message.length < 300]).toEqual([
    expect.stringMatching(/^\w+: the input was no JSON object \(.*Nothing was done; call it again/),
    true,
  ]);
  expect(message).toContain(why);
});
