import { expect, describe, test } from 'vitest';
import type { ToolText } from '../../../shared/domain/frames.ts';
import { findTools } from '../../../electron/worker/frame/find-tools.ts';
import { toolQuery } from '../../../electron/worker/frame/tool-query.ts';
import { toolsOfSession } from '../../../electron/worker/frame/hot-set.ts';
import { useTool } from '../../../electron/worker/frame/use-tool.ts';
import { createSessionTools } from '../../../electron/worker/tools/session-tools.ts';
import { allTools } from '../../../electron/worker/tools/tool-table.ts';
import type { Tool, ToolContext } from '../../../electron/worker/tools/tool.ts';
import { webSearchTool } from '../../../electron/worker/tools/web/web-search.ts';

const tool = (name: string, description: string): ToolText => ({
  name,
  description,
  schema: { type: 'object', title: name },
});
const tools = [
  tool('WebFetch', 'Reads a page of the web as Markdown.'),
  tool('WebSearch', 'Finds pages of the web.'),
  tool('send_user_file', 'Sends one file to the person.'),
  tool('Sleep', 'Waits for a number of seconds.'),
  tool('MultiEdit', 'Several edits of one file at once.'),
];
const names = (query: string) => toolQuery(query, tools).found.map(({ name }) => name);

describe('looking for a tool', () => {
  test.each([
    ['WebFetch', ['WebFetch', 'WebSearch']],
    ['web pages', ['WebFetch', 'WebSearch']],
    ['send a file', ['send_user_file', 'MultiEdit']],
    ['WAIT', ['Sleep']],
    ['select:Sleep, webfetch', ['Sleep', 'WebFetch']],
    ['select:Nothing', []],
    ['quantum', []],
    ['', []],
  ])('%j finds %j', (query, found) => {
    expect(names(query).slice(0, found.length || 9)).toEqual(found);
  });

  test('gives schemas and how to call them; where nothing fits, all names', async () => {
    const context = { dir: '/nowhere' } as ToolContext;
    const run = async (query: string) => {
      const found = findTools(tools);
      const prepared = await found.prepare({ query }, context);
      if (prepared.kind !== 'ready') return prepared.message;
      const { class: kind, access } = prepared.facts;
      const { output } = await found.execute(prepared.facts, context, new AbortController().signal, 'c1');
      return [kind, access, output];
    };
    expect([
      await run('select:Sleep'),
      await run('select:Nope,Sleep'),
      await run('quantum'),
      await run(''),
    ]).toEqual([
      [
        'pure',
        'person',
        'Call these with UseTool {"name": ..., "input": ...}.\n\n## Sleep\nWaits for a number of seconds.\ninput: {"type":"object","title":"Sleep"}',
      ],
      ['pure', 'person', expect.stringMatching(/^There is no tool named Nope\.\n\nCall these/)],
      [
        'pure',
        'person',
        'Nothing fits. The further tools are: WebFetch, WebSearch, send_user_file, Sleep, MultiEdit. Get one with select:Name.',
      ],
      'FindTools: "query" must not be less than 1 characters. Nothing was done; call it again with valid input.',
    ]);
  });
});

describe('the tools of a session', () => {
  const context = { dir: '/nowhere' } as ToolContext;
  const names = (of: readonly { readonly name: string }[]) => of.map(({ name }) => name);
  const search = webSearchTool(async () => []);

  test('FindTools tells what there is in this session, and nothing else', () => {
    const description = (own: readonly Tool[]) =>
      toolsOfSession(own, false).offered.tools.find(({ name }) => name === 'FindTools')?.description;
    const topics =
      'several edits of a file at once, listing and stopping background tasks, web pages, searching earlier conversations, sending the person a file, a list of what is to do, messages of a channel that need no answer, presenting a plan in plan mode, waiting';
    expect([description(allTools), description([...allTools, search])]).toEqual([
      expect.stringMatching(new RegExp(`There are tools for: ${topics}\\.$`)),
      expect.stringMatching(new RegExp(`There are tools for: ${topics}, web search\\.$`)),
    ]);
  });

  test('outside of brief mode a message tool cannot be called and is not told', async () => {
    const { callable, offered } = toolsOfSession(allTools, false);
    const tools = createSessionTools(callable, context);
    const refused = ['SendUserMessage', 'Brief', 'Nothing'].map((tool) =>
      tools.prepare({ id: 'c1', tool, input: { message: 'hi' } }),
    );
    const hot = names(offered.tools).join(', ');
    const found = names(offered.deferred).join(', ');
    expect(await Promise.all(refused)).toEqual(
      ['SendUserMessage', 'Brief', 'Nothing'].map((tool) => ({
        kind: 'bad',
        message: `There is no tool "${tool}". There is: ${hot}. Through UseTool: ${found} (FindTools shows how).`,
      })),
    );
    expect(`${hot}, ${found}`).not.toMatch(/SendUserMessage|Brief/);
  });

  test('in brief mode Brief works and is never told; what is found can be called by its name', async () => {
    const { callable, offered } = toolsOfSession(allTools, true);
    const tools = createSessionTools(callable, context);
    const kinds = ['SendUserMessage', 'Brief', 'Sleep', 'TodoWrite'].map(async (tool) => {
      const prepared = await tools.prepare({ id: 'c1', tool, input: { message: 'hi' } });
      return prepared.kind;
    });
    const unknown = await tools.prepare({ id: 'c1', tool: 'Nothing', input: {} });
    expect([await Promise.all(kinds), JSON.stringify([unknown, offered]).includes('"Brief')]).toEqual([
      ['ready', 'ready', 'ready', 'ready'],
      false,
    ]);
    expect(unknown).toEqual({
      kind: 'bad',
      message: expect.stringMatching(/There is: .*SendUserMessage.*\. Through UseTool: .*Sleep \(/),
    });
  });
});

test.each([
  [
    {},
    'the name of the tool is missing; UseTool takes {"name": "<tool>", "input": {<the input of that tool>}}.',
  ],
  [
    'text',
    'the name of the tool is missing; UseTool takes {"name": "<tool>", "input": {<the input of that tool>}}.',
  ],
  [
    { name: 'Sleep', input: 'ten' },
    'the input for Sleep must be a JSON object; UseTool takes {"name": "<tool>", "input": {<the input of that tool>}}.',
  ],
  [{ name: 'sleep', input: {} }, 'there is no tool "sleep". Did you mean Sleep?'],
  [{ name: 'Fly', input: {} }, 'there is no tool "Fly". Look for it with FindTools.'],
  [{ name: 'UseTool', input: {} }, 'it cannot call itself; name the tool that is to run.'],
])('UseTool %j says what is wrong with it', async (input, complaint) => {
  expect(await useTool(['Sleep']).prepare(input, {} as ToolContext)).toEqual({
    kind: 'bad',
    message: `UseTool: ${complaint} Nothing was done.`,
  });
});
