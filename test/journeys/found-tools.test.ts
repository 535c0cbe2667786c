import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../support/models/ask.ts';
import { call, calls, type Script, text } from '../support/models/script.ts';
import { wireNames } from '../support/models/start.ts';
import type { ApprovalFacts } from '../support/real/kairos.ts';
import { type ModelHome, startModelHome } from '../support/real/model-home.ts';
import { bodies, replyText, send, settle, settled, workFile } from './support/conversation.ts';

/** `find <query>` looks for tools; `use <json>` calls one through UseTool. Then the model repeats what came. */
function model(ask: Ask): Script {
  const last = ask.turns.at(-1);
  const [result] = last?.results ?? [];
  if (result !== undefined) return [text(result.text)];
  const [, verb, rest = ''] = /(find|use) (.*)/.exec(last?.text ?? '') ?? [];
  if (verb === 'find') return [calls(call('FindTools', { query: rest }))];
  if (verb === 'use') return [calls(call('UseTool', JSON.parse(rest)))];
  return [text('Here I am.')];
}

/** What the issue of this version asks for, in every session. */
const wanted = [
  'AskUserQuestion',
  'Bash',
  'Edit',
  'Glob',
  'Grep',
  'MultiEdit',
  'Read',
  'TodoWrite',
  'WebFetch',
  'WebSearch',
  'Write',
  'send_user_file',
  'transcript_search',
];

async function say({ kairos }: ModelHome, words: string): Promise<string> {
  return replyText(await settle(kairos, words, '--session', 'finder'));
}

/** Names of the tools that are found but not named in requests, and what FindTools says of all of them. */
async function foundTools(home: ModelHome): Promise<{ deferred: readonly string[]; found: string }> {
  const [, list = ''] = /further tools are: (.*?)\. Get one/.exec(await say(home, 'find qqqq')) ?? [];
  const deferred = list.split(', ');
  return { deferred, found: await say(home, `find select:${deferred.join()}`) };
}

/** Uses MultiEdit through UseTool and approves what is asked. */
async function editThroughUseTool({ kairos }: ModelHome): Promise<ApprovalFacts> {
  writeFileSync(join(kairos.work, 'a.txt'), 'one two\n');
  const input = { file_path: 'a.txt', edits: [{ old_string: 'one', new_string: '1' }] };
  const words = `use ${JSON.stringify({ name: 'MultiEdit', input })}`;
  const { message } = await send(kairos, words, '--session', 'user');
  const asked = await kairos.approval();
  await kairos.cli(['approve', asked.code]);
  await settled(kairos, message);
  return asked;
}

describe.each(wireNames)('A fresh session over the %s wire', (wire) => {
  let home: ModelHome;
  beforeAll(async () => {
    home = await startModelHome(wire, {
      server: { answer: model },
      // Without a place to ask there is no WebSearch.
      settings: { web: { search: { url: 'http://127.0.0.1:9/?q={query}' } } },
    });
  });
  afterAll(() => home.dispose());

  it('begins with a request of at most 12 KB and ten tools, and every other tool can be found with its schema', async () => {
    expect(await say(home, 'hello')).toBe('Here I am.');
    const [first] = home.server.requests;
    const hot = first?.ask?.tools ?? [];
    const { deferred, found } = await foundTools(home);
    const described = [...found.matchAll(/^## (\S+)$/gm)].map(([, name]) => name);
    expect({
      bytes: (first?.rawBody.length ?? 0) <= 12 * 1024,
      hot: hot.length <= 10,
      described,
      schemas: found.split('\n').filter((line) => line.startsWith('input: {')).length,
      missing: wanted.filter((name) => !hot.includes(name) && !deferred.includes(name)),
      twice: deferred.filter((name) => hot.includes(name)),
    }).toEqual({
      bytes: true,
      hot: true,
      described: deferred,
      schemas: deferred.length,
      missing: [],
      twice: [],
    });
  });

  it('asks for permission, shows and logs a tool that is used through UseTool by its own name; the list of tools stays', async () => {
    const { kairos, server } = home;
    const asked = await editThroughUseTool(home);
    const log = await kairos.exported('user');
    const lists = new Set(server.requests.map(({ ask }) => ask?.tools.join()));
    const wireNamesOfCalls = server.requests
      .at(-1)
      ?.ask?.turns.flatMap((turn) => turn.calls.map(({ name }) => name));
    expect([
      asked.tool,
      asked.preview.includes('1 two'),
      bodies(log, 'call.began').map(({ tool }) => tool),
      bodies(log, 'call.ended').map(({ tool, result }) => [tool, result.outcome]),
      workFile(kairos, 'a.txt'),
      wireNamesOfCalls,
      lists.size,
      server.complaints,
    ]).toEqual(['MultiEdit', true, ['MultiEdit'], [['MultiEdit', 'ok']], '1 two\n', ['UseTool'], 1, []]);
    expect(replyText(await settle(kairos, 'hello', '--session', 'user'))).toBe('Here I am.');
  });
});
