import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Ask, lastUserText } from '../support/models/ask.ts';
import { call, calls, type Script, text } from '../support/models/script.ts';
import { type ModelHome, startModelHome } from '../support/real/model-home.ts';
import { replyText, settle } from './support/conversation.ts';

let web: Server;
let asked: string[];
let home: ModelHome;

/** "find" looks for the tool, "search" uses it; a result is repeated as the answer. */
function model(ask: Ask): Script {
  const results = ask.turns.at(-1)?.results ?? [];
  if (results.length > 0) return [text(results.map((result) => result.text).join('\n'))];
  if (lastUserText(ask).includes('find')) return [calls(call('FindTools', { query: 'select:WebSearch' }))];
  return [
    calls(call('UseTool', { name: 'WebSearch', input: { query: 'cats', allowed_domains: ['a.example'] } })),
  ];
}

beforeAll(async () => {
  asked = [];
  web = createServer((request, response) => {
    asked.push(`${request.headers.authorization} ${request.url}`);
    const results = ['https://a.example/1', 'https://b.example/2'].map((url) => ({
      url,
      title: `Page ${url}`,
      content: 'about cats',
    }));
    response.end(JSON.stringify({ results }));
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  home = await startModelHome('anthropic', { server: { answer: model }, env: { SEARCH_KEY: 'canary-key' } });
});
afterAll(async () => {
  await home.dispose();
  web.closeAllConnections();
  web.close();
});

it('The web is searched through the server of the settings; without one the model has no such tool, and the key is in no log', async () => {
  const { kairos } = home;
  const none = await settle(kairos, 'find it', '--session', 'shop');
  await kairos.stopDaemon();
  const { port } = web.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/s?q={query}`;
  kairos.writeSettings({ web: { search: { url, keyEnv: 'SEARCH_KEY' } } });
  await kairos.startDaemon();
  const there = await settle(kairos, 'find it again', '--session', 'shop');
  const found = await settle(kairos, 'search', '--session', 'shop');
  expect([replyText(none), replyText(there), replyText(found), asked]).toEqual([
    expect.stringMatching(/no tool named WebSearch/),
    expect.stringMatching(/^Call these.*## WebSearch/s),
    '1. Page https://a.example/1\nhttps://a.example/1\nabout cats',
    ['Bearer canary-key /s?q=cats%20(site%3Aa.example)'],
  ]);
  const log = JSON.stringify(await kairos.exported('shop'));
  expect([
    log.includes('canary-key'),
    home.server.requests.some(({ body }) => JSON.stringify(body).includes('canary-key')),
  ]).toEqual([false, false]);
});
