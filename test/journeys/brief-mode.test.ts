import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, lastUserText } from '../support/models/ask.ts';
import { call, calls, type Script, text } from '../support/models/script.ts';
import { wireNames } from '../support/models/start.ts';
import type { Kairos } from '../support/real/kairos.ts';
import { allAsleep } from '../support/real/measure.ts';
import { type ModelHome, startModelHome } from '../support/real/model-home.ts';
import { bodies, replyText, type Sent, settle } from './support/conversation.ts';

const use = (name: string, input: object) => calls(call('UseTool', { name, input: { ...input } }));

/** Answers by the words of the message; after a result it ends with a text, "silent" never says anything. */
function model(ask: Ask): Script {
  const said = lastUserText(ask);
  const results = ask.turns.at(-1)?.results ?? [];
  if (results.length > 0) return [text(results.map((result) => result.text).join('\n'))];
  if (said.includes('by a message')) return [calls(call('SendUserMessage', { message: 'A message.' }))];
  if (said.includes('look first'))
    return [
      calls(call('SendUserMessage', { message: "I'll look." }), call('Bash', { command: 'echo three' })),
    ];
  if (said.includes('with files'))
    return [
      calls(
        call('SendUserMessage', {
          message: 'Here they are.',
          attachments: ['large.bin', 'sub/a.txt', 'missing.txt', 'link.txt', '../h/daemon.json'],
        }),
      ),
    ];
  if (said.includes('one file')) return [use('send_user_file', { path: 'sub/a.txt', caption: 'The list' })];
  if (said.includes('a list'))
    return [use('TodoWrite', { todos: [{ content: 'build it', status: 'in_progress' }] })];
  if (said.includes('remember')) return [use('transcript_search', { term: 'elderberry', session: 'all' })];
  if (said.includes('silent')) return [text('')];
  return [text('Plain words.')];
}

async function saved(kairos: Kairos, hash = ''): Promise<{ bytes: Buffer; headers: Headers }> {
  const { url, token } = kairos.bridge.address();
  const authorization = `Bearer ${token}`;
  const response = await fetch(new URL(`/api/v1/blobs/${hash}`, url), { headers: { authorization } });
  return { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers };
}

const homes = new Map<string, ModelHome>();
beforeAll(async () => {
  for (const wire of wireNames) {
    const settings = { sessions: { hibernateAfterSeconds: 0.3 } };
    homes.set(wire, await startModelHome(wire, { server: { answer: model }, settings }));
  }
});
afterAll(async () => {
  for (const home of homes.values()) await home.dispose();
});

/** What a test does on the home of its wire. */
function acts(wire: string) {
  const home = homes.get(wire);
  if (home === undefined) throw new Error(`There is no home for ${wire}.`);
  const { kairos, server } = home;
  const log = (session: string) => kairos.exported(session);
  return {
    home,
    log,
    say: (session: string, words: string, ...options: string[]): Promise<Sent> =>
      settle(kairos, words, '--session', session, ...options),
    offered: (): boolean => server.requests.at(-1)?.ask?.tools.includes('SendUserMessage') ?? false,
    sources: async (session: string): Promise<unknown[]> =>
      bodies(await log(session), 'message.sent').map(({ source }) => source),
    nudges: async (session: string): Promise<number> =>
      (await log(session)).filter(({ type }) => type === 'turn.nudged').length,
  };
}

describe.each(wireNames)('What a person reads over the %s wire', (wire) => {
  it('is the final text of a turn, where nobody wished for brief mode; an empty one is told as a failure', async () => {
    const { say, offered, sources, nudges } = acts(wire);
    const plain = await say('plain', 'hello');
    const wasOffered = offered();
    const silent = await say('plain', 'silent');
    expect([
      replyText(plain),
      wasOffered,
      replyText(silent),
      await sources('plain'),
      await nudges('plain'),
    ]).toEqual([
      'Plain words.',
      false,
      expect.stringMatching(/without an answer/),
      ['final_text', 'notice'],
      0,
    ]);
  });

  it('is what was sent to them in brief mode; a turn without it is nudged once, then its text is told, else the failure', async () => {
    const { say, offered, sources, nudges } = acts(wire);
    const sent = await say('brief', 'by a message', '--brief');
    const wasOffered = offered();
    const nudged = await say('brief', 'hello');
    const silent = await say('brief', 'silent');
    expect([
      replyText(sent),
      wasOffered,
      replyText(nudged),
      replyText(silent),
      await sources('brief'),
      await nudges('brief'),
    ]).toEqual([
      'A message.',
      true,
      'Plain words.',
      expect.stringMatching(/without an answer/),
      ['tool', 'final_text', 'notice'],
      2,
    ]);
  });
});

describe.each(wireNames)('What comes of work over the %s wire', (wire) => {
  it('is told after a file where plain text is the answer; there the message tool does not exist', async () => {
    const { home, say, sources } = acts(wire);
    mkdirSync(join(home.kairos.work, 'sub'), { recursive: true });
    writeFileSync(join(home.kairos.work, 'sub', 'a.txt'), 'the list');
    const filed = await say('plain-file', 'one file');
    const sent = await say('plain-file', 'by a message');
    const refusal = replyText(sent);
    expect([filed.replies.map(({ text }) => text), refusal, await sources('plain-file')]).toEqual([
      ['The list', 'Delivered. With: a.txt.'],
      expect.stringMatching(/^There is no tool "SendUserMessage"\. There is: /),
      ['tool', 'final_text', 'final_text'],
    ]);
    expect(refusal.replace('"SendUserMessage"', '')).not.toMatch(/SendUserMessage|Brief/);
  });

  it('is told in brief mode too: a turn that only acknowledged before its work is nudged', async () => {
    const { say, sources, nudges } = acts(wire);
    const looked = await say('acknowledged', 'look first', '--brief');
    expect([
      looked.replies.map(({ text }) => text),
      await sources('acknowledged'),
      await nudges('acknowledged'),
    ]).toEqual([["I'll look.", 'Plain words.'], ['tool', 'final_text'], 1]);
  });
});

describe.each(wireNames)('A switch of brief mode over the %s wire', (wire) => {
  it('can be switched in the middle of a conversation by a message of the owner, which reaches no model', async () => {
    const { home, say, offered, sources, log } = acts(wire);
    const requests = (): number => home.server.requests.length;
    await say('switched', 'hello');
    const before = requests();
    const on = await say('switched', '/brief');
    const asked = requests() - before;
    const sent = await say('switched', 'by a message');
    const [wasOffered] = [offered()];
    const off = await say('switched', ' /brief off ');
    await say('switched', 'hello again');
    expect([replyText(on), asked, replyText(sent), wasOffered, replyText(off), offered()]).toEqual([
      expect.stringMatching(/^Brief mode is on/),
      0,
      'A message.',
      true,
      expect.stringMatching(/^Brief mode is off/),
      false,
    ]);
    expect([await sources('switched'), bodies(await log('switched'), 'session.brief_set')]).toEqual([
      ['final_text', 'tool', 'final_text'],
      [{ brief: true }, { brief: false }],
    ]);
  });
});

describe.each(wireNames)('A message with files over the %s wire', (wire) => {
  it('can be files, kept as they were when they were sent; one that cannot go is told and holds nothing up', async () => {
    const { home, say, log } = acts(wire);
    const { kairos } = home;
    const large = Buffer.alloc(29 * 1024 * 1024, 'kairos ');
    mkdirSync(join(kairos.work, 'sub'), { recursive: true });
    writeFileSync(join(kairos.work, 'large.bin'), large);
    writeFileSync(join(kairos.work, 'sub', 'a.txt'), 'the list');
    symlinkSync('/etc/hostname', join(kairos.work, 'link.txt'));
    const sent = await say('files', 'with files', '--brief');
    writeFileSync(join(kairos.work, 'sub', 'a.txt'), 'changed since');
    const single = await kairos.cli(['send', 'one file', '--session', 'files', '--wait']);
    const [first] = bodies(await log('files'), 'message.sent');
    const hash = createHash('sha256').update(large).digest('hex');
    const lost = [
      { path: 'missing.txt', reason: 'does not exist' },
      { path: 'link.txt', reason: 'is outside of the session directory' },
      { path: '../h/daemon.json', reason: "is in Kairos's own home" },
    ];
    const files = first?.attachments as readonly { hash: string }[];
    const download = await saved(kairos, files[0]?.hash);
    const small = await saved(kairos, files[1]?.hash);
    expect([
      sent.replies,
      files[0]?.hash,
      createHash('sha256').update(download.bytes).digest('hex'),
      Buffer.from(small.bytes).toString(),
      [download.headers.get('content-disposition'), download.headers.get('x-content-type-options')],
      single.stdout,
    ]).toEqual([
      [
        {
          text: 'Here they are.',
          status: 'normal',
          attachments: [
            { hash, name: 'large.bin', mediaType: 'application/octet-stream', bytes: large.length },
            { hash: expect.any(String), name: 'a.txt', mediaType: 'text/plain', bytes: 8 },
          ],
          lost,
        },
      ],
      hash,
      hash,
      'the list',
      ['attachment', 'nosniff'],
      'The list\n[file: a.txt, 13 B]\n',
    ]);
  });
});

describe.each(wireNames)("The model's own list and memory over the %s wire", (wire) => {
  it("keeps the model's own list over a hibernation, and finds what was said in another session", async () => {
    const { home, say, log } = acts(wire);
    await say('talk', 'the answer is elderberry');
    await say('todo', 'a list');
    await allAsleep(home.kairos);
    const found = await say('todo', 'remember');
    expect([bodies(await log('todo'), 'todos.set').map(({ todos }) => todos), replyText(found)]).toEqual([
      [[{ text: 'build it', state: 'in_progress' }]],
      expect.stringMatching(
        /^## \d{4}-\d\d-\d\d \d\d:\d\d UTC, talk \(ses_\w+, \d+\), owner\nthe answer is elderberry$/,
      ),
    ]);
  });
});
