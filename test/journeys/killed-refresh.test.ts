import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { text } from '../support/models/script.ts';
import type { ModelServer } from '../support/models/server.ts';
import { startModelServer } from '../support/models/start.ts';
import { Kairos } from '../support/real/kairos.ts';
import { isLiving, killNow } from '../support/real/processes.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { replyText, send, settled } from './support/conversation.ts';

/** The second run, which makes the expired key anew, waits at a gate before it spends what can be spent once. */
const program = (folder: string): string => `cd '${folder}'
printf x >> runs
if [ "$(cat runs)" = xx ]; then echo $$ > waiting; while [ ! -e gate ]; do sleep 0.05; done; fi
printf s >> spent
echo "key-$(cat spent)"
`;
const names = ['s0', 's1', 's2', 's3', 's4', 's5', 's6', 's7'];

let server: ModelServer;
let kairos: Kairos;
beforeEach(async () => {
  // The first key has expired when it is printed; a third one would mean that the refresh was spent twice.
  server = await startModelServer('openai', { apiKey: 'key-ss', answer: () => [text('Here I am.')] });
  kairos = new Kairos({ env: { KAIROS_MODEL: '', OPENAI_BASE_URL: server.url } });
  writeFileSync(file('key.sh'), program(kairos.base));
  const openai = { keyCommand: ['/bin/sh', file('key.sh')] };
  kairos.writeSettings({ models: { default: 'openai/stand-in-large', providers: { openai } } });
  await kairos.startDaemon();
});
afterEach(async () => {
  writeFileSync(file('gate'), '');
  await kairos.dispose();
  await server.close();
});

const file = (name: string): string => join(kairos.base, name);
const read = (name: string): string => {
  try {
    return readFileSync(file(name), 'utf8');
  } catch {
    // Not written yet.
    return '';
  }
};

/** Eight sessions ask with the expired key, and its refresh waits; gives their messages and the program's pid. */
async function refreshBegun(): Promise<{ messages: readonly string[]; pid: number }> {
  const sent = await Promise.all(names.map((name) => send(kairos, 'hello', '--session', name)));
  const refused = (): boolean => server.requests.length >= names.length && read('waiting').endsWith('\n');
  await waitFor(refused, { what: 'eight refused requests and a waiting refresh', withinMs: 20_000 });
  return { messages: sent.map(({ message }) => message), pid: Number(read('waiting')) };
}

async function answers(messages: readonly string[]): Promise<string[]> {
  return (await Promise.all(messages.map((message) => settled(kairos, message, 30_000)))).map(replyText);
}

describe('An expired key whose refresh can be spent once', () => {
  it('is made anew by one run when every worker that waits for it gets kill -9', async () => {
    const { messages, pid } = await refreshBegun();
    const before = server.requests.length;
    const workers = kairos.processes('worker');
    for (const worker of workers) killNow(worker.pid);
    // Their sessions go on in other workers, are refused again, and wait for the same run.
    await waitFor(() => server.requests.length >= before + names.length, { what: 'eight requests more' });
    const held = [workers.length > 0, isLiving(pid), read('runs'), read('spent')];
    writeFileSync(file('gate'), '');
    expect([held, await answers(messages), read('runs'), read('spent')]).toEqual([
      [true, true, 'xx', 's'],
      names.map(() => 'Here I am.'),
      'xx',
      'ss',
    ]);
  });

  it('is not spent by the run that dies with kill -9 of the daemon: the next daemon runs the program once', async () => {
    const { messages, pid } = await refreshBegun();
    for (const daemon of kairos.processes('daemon')) killNow(daemon.pid);
    await waitFor(() => !isLiving(pid), { what: 'the end of the waiting program' });
    expect(await answers(messages)).toEqual(names.map(() => 'Here I am.'));
    writeFileSync(file('gate'), '');
    expect([await answers(messages), read('runs'), read('spent')]).toEqual([
      names.map(() => 'Here I am.'),
      'xxx',
      'ss',
    ]);
  });
});
