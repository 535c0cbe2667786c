import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../support/models/ask.ts';
import { createGate } from '../support/models/gate.ts';
import {
  brokenCall,
  call,
  calls,
  cut,
  httpError,
  malformed,
  type Script,
  text,
  thinking,
  wait,
} from '../support/models/script.ts';
import type { ModelServer } from '../support/models/server.ts';
import { startModelServer, wireNames } from '../support/models/start.ts';
import { Kairos, startKairos } from '../support/real/kairos.ts';
import { followSession, newSession } from '../support/real/measure.ts';
import { modelEnvironment, type ModelHome, startModelHome } from '../support/real/model-home.ts';
import type { TopicClient } from '../support/real/topic-client.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { bodies, replyText, send, settle, settled } from './support/conversation.ts';

/** What the newest text of the person asks for; after a result the model says what it was. */
function model(ask: Ask): Script {
  const last = ask.turns.at(-1);
  const [result] = last?.results ?? [];
  if (result !== undefined) return [text(`It said: ${result.text.slice(0, 60)}`)];
  const said = last?.text ?? '';
  if (said.includes('broken'))
    return [text('I write.'), calls(brokenCall('Write', '{"file_path": "a.txt", "con'))];
  if (said.includes('unknown')) return [calls(call('LaunchRocket', { to: 'the moon' }))];
  if (said.includes('much')) return [calls(call('Bash', { command: 'yes word | head -c 800000' }))];
  return [text('Here I am.')];
}

/** The texts of the log that a person sees as the agent's. */
async function visible(kairos: Kairos, session: string): Promise<unknown[]> {
  return bodies(await kairos.exported(session), 'message.sent').map(({ text: shown }) => shown);
}

describe.each(wireNames)('Over the %s wire', (wire) => {
  let home: ModelHome;
  beforeAll(async () => {
    home = await startModelHome(wire, { server: { answer: model } });
  });
  afterAll(() => home.dispose());

  const say = async (session: string, words: string): Promise<string> =>
    replyText(await settle(home.kairos, words, '--session', session));

  it('an answer that is cut, and one that cannot be read, are asked for again: one visible answer', async () => {
    home.server.enqueue([text('Here I'), cut()], [text('Here'), malformed(), cut()]);
    const before = home.server.requests.length;
    const answers = [await say('cut', 'hello'), await say('cut', 'hello again')];
    expect([answers, home.server.requests.length - before, await visible(home.kairos, 'cut')]).toEqual([
      ['Here I am.', 'Here I am.'],
      4,
      ['Here I am.', 'Here I am.'],
    ]);
  });

  it('a call whose input is no JSON is not run; the model reads where it broke, and the session goes on', async () => {
    const answers = [await say('broken', 'broken'), await say('broken', 'hello')];
    const log = await home.kairos.exported('broken');
    expect([answers, bodies(log, 'call.ended').map(({ result }) => result)]).toEqual([
      [expect.stringMatching(/^It said: .*Write: the input was no JSON object/), 'Here I am.'],
      [{ outcome: 'error', output: expect.stringContaining('Nothing was done') }],
    ]);
  });

  it('a tool that does not exist is answered with those that do, and the session goes on', async () => {
    const answers = [await say('unknown', 'unknown'), await say('unknown', 'hello')];
    expect(answers).toEqual([expect.stringContaining('There is no tool "LaunchRocket"'), 'Here I am.']);
  });

  it('an output of 200,000 tokens is cut in the middle, whole in a file, and the session goes on', async () => {
    const answers = [await say('much', 'much'), await say('much', 'hello')];
    const [{ result }] = bodies(await home.kairos.exported('much'), 'call.ended');
    const spill = /\S*\/scratch\/\S+/.exec(result.output)?.[0]?.replace(/[)\].,;:]+$/, '') ?? '';
    expect([answers, result.output.length < 40_000, readFileSync(spill, 'utf8').length]).toEqual([
      [expect.stringContaining('word'), 'Here I am.'],
      true,
      800_000,
    ]);
    expect(home.server.requests.at(-1)?.rawBody.length).toBeLessThan(60_000);
  });
});

it.each(wireNames)(
  'A server that is down over the %s wire stops the session with the reason; one retry later it answers what it owes',
  async (wire) => {
    const home = await startModelHome(wire, { server: { answer: model } });
    try {
      home.server.enqueue(...Array.from({ length: 8 }, () => [httpError(503, { retryAfterMs: 1 })]));
      const { message } = await send(home.kairos, 'hello', '--session', 'down');
      const parked = await waitFor(
        async () => bodies(await home.kairos.exported('down'), 'session.parked')[0],
        { what: 'a parked session' },
      );
      await home.kairos.cli(['retry', 'down']);
      const answers = [
        replyText(await settled(home.kairos, message)),
        replyText(await settle(home.kairos, 'hello', '--session', 'down')),
      ];
      const told = `This session stopped: ${parked.reason}`;
      expect([parked, answers, await visible(home.kairos, 'down')]).toEqual([
        { code: 'model_failed', reason: expect.stringContaining(`${home.ref} answered 503`) },
        [`${told}\nHere I am.`, 'Here I am.'],
        [told, 'Here I am.', 'Here I am.'],
      ]);
    } finally {
      await home.dispose();
    }
  },
);

it('The settings say how long an answer may take to begin and how often it is asked for again', async () => {
  const home = await startModelHome('openai', {
    server: { answer: model },
    settings: { models: { firstByteSeconds: 0.5, retries: 1 } },
  });
  const gate = createGate();
  try {
    home.server.enqueue([wait(gate)], [wait(gate)]);
    await send(home.kairos, 'hello', '--session', 'slow');
    const parked = await waitFor(
      async () => bodies(await home.kairos.exported('slow'), 'session.parked')[0],
      { what: 'a parked session' },
    );
    expect([parked, home.server.requests.length]).toEqual([
      {
        code: 'model_unreachable',
        reason: expect.stringContaining(`${home.ref} did not begin to answer within 0.5 s.`),
      },
      2,
    ]);
  } finally {
    gate.open();
    await home.dispose();
  }
});

describe('A key that runs out in the middle of a conversation', () => {
  it.each(wireNames)('is made anew once over the %s wire, unseen', async (wire) => {
    const server = await startModelServer(wire, { answer: model, apiKey: null });
    const { [`${wire.toUpperCase()}_API_KEY`]: _none, ...env } = modelEnvironment(server);
    const kairos = new Kairos({ env });
    try {
      const runs = join(kairos.base, 'runs');
      const program = join(kairos.base, 'key.sh');
      writeFileSync(runs, '');
      writeFileSync(program, `printf x >> '${runs}'; echo "key-$(cat '${runs}')"\n`);
      const keyCommand = ['/bin/sh', program];
      kairos.writeSettings({ models: { providers: { [wire]: { keyCommand } } } });
      await kairos.startDaemon();
      const answers = [replyText(await settle(kairos, 'hello', '--session', 'shop'))];
      server.enqueue([httpError(401)]);
      for (const words of ['unknown', 'hello'])
        answers.push(replyText(await settle(kairos, words, '--session', 'shop')));
      const keys = server.requests.map(
        ({ headers }) => headers['x-api-key'] ?? headers.authorization?.replace('Bearer ', ''),
      );
      expect([answers, keys]).toEqual([
        ['Here I am.', expect.stringContaining('It said: '), 'Here I am.'],
        ['key-x', 'key-x', 'key-xx', 'key-xx', 'key-xx'],
      ]);
    } finally {
      await kairos.dispose();
      await server.close();
    }
  });
});

/** The visible text of a draft as it grew at a viewer; a piece of part 0 at offset 0 begins it anew. */
function drafts(viewer: TopicClient): string[] {
  const shown: string[] = [];
  for (const { frame } of viewer.frames) {
    if (frame.type !== 'draft') continue;
    const begins = frame['part'] === 0 && frame['offset'] === 0;
    const before = begins ? '' : (shown.at(-1) ?? '');
    shown.push(frame['kind'] === 'text' ? before + String(frame['text']) : before);
  }
  return shown;
}

/** Resolves when a viewer has a draft of this text before it. */
async function drafted(viewer: TopicClient, words: string): Promise<void> {
  await waitFor(() => drafts(viewer).at(-1) === words, { what: `the draft "${words}"` });
}

describe('Two models', () => {
  const servers: ModelServer[] = [];
  let kairos: Kairos;
  beforeAll(async () => {
    for (const wire of wireNames) servers.push(await startModelServer(wire, { answer: model }));
    const [first, second] = servers.map(modelEnvironment);
    kairos = await startKairos({
      env: { ...second, ...first },
      settings: {
        models: {
          failover: ['openai/stand-in-large'],
          overrides: { '*': { thinkingTokens: 2_000 } },
        },
      },
    });
  });
  afterAll(async () => {
    await kairos.dispose();
    for (const server of servers) await server.close();
  });

  it('the second takes over in the middle of a turn when the first breaks off: the draft begins anew, one message is visible', async () => {
    const [first, second] = servers;
    const gate = createGate();
    const shown = createGate();
    const broken: Script = [thinking('Hm.'), text('The first says tha'), wait(gate), cut()];
    first?.enqueue(
      [thinking('Look.'), calls(call('Bash', { command: 'echo done' }))],
      ...Array.from({ length: 4 }, () => broken),
    );
    second?.enqueue([text('The second says'), wait(shown), text(' done.')]);
    const session = await newSession(kairos, 'over');
    const viewer = await followSession(kairos, session);
    const answering = settle(kairos, 'do it', '--session', 'over');
    await drafted(viewer, 'The first says tha');
    gate.open();
    await drafted(viewer, 'The second says');
    shown.open();
    const answer = replyText(await answering);
    await viewer.close();
    const log = await kairos.exported('over');
    expect([
      answer,
      await visible(kairos, 'over'),
      bodies(log, 'step.replied').map(({ reply }) => reply.model),
      bodies(log, 'call.ended').length,
      replyText(await settle(kairos, 'hello', '--session', 'over')),
      servers.flatMap(({ complaints }) => complaints),
    ]).toEqual([
      'The second says done.',
      ['The second says done.'],
      ['anthropic/stand-in-large', 'openai/stand-in-large'],
      1,
      'Here I am.',
      [],
    ]);
  });

  it('in brief mode a message that the first had written, but not finished, is never sent: the second one is', async () => {
    const [first, second] = servers;
    const message = (words: string): Script => [calls(call('SendUserMessage', { message: words }))];
    first?.enqueue(...Array.from({ length: 4 }, () => [...message('The first says tha'), cut()]));
    second?.enqueue(message('The second says done.'));
    const answers = [replyText(await settle(kairos, 'do it', '--session', 'brief', '--brief'))];
    first?.enqueue(message('Here I am.'));
    answers.push(replyText(await settle(kairos, 'hello', '--session', 'brief')));
    expect([answers, await visible(kairos, 'brief')]).toEqual([
      ['The second says done.', 'Here I am.'],
      ['The second says done.', 'Here I am.'],
    ]);
  });

  it('both down: the session stops and says what each answered; a retry goes on', async () => {
    for (const server of servers)
      server.enqueue(...Array.from({ length: 8 }, () => [httpError(529, { retryAfterMs: 1 })]));
    const sent = await kairos.cli(['send', 'hello', '--session', 'down', '--wait', '--timeout', '30']);
    const [parked] = bodies(await kairos.exported('down'), 'session.parked');
    const listed = (await kairos.sessions()).find(({ name }) => name === 'down')?.state;
    await kairos.cli(['retry', 'down']);
    const shown = await waitFor(
      async () => {
        const texts = await visible(kairos, 'down');
        return texts.length > 1 && texts;
      },
      { what: 'an answer' },
    );
    const reason =
      'anthropic/stand-in-large answered 529: Scripted error 529. The models after it failed too: openai/stand-in-large answered 529: Scripted error 529. Take the session up again later (kairos retry), or give it another model (kairos models set).';
    expect([sent.code, sent.stderr, parked.reason, listed, shown]).toEqual([
      1,
      expect.stringMatching(/Nothing was lost\. Try again with: .* retry /),
      reason,
      'parked',
      [`This session stopped: ${reason}`, 'Here I am.'],
    ]);
    expect(replyText(await settle(kairos, 'hello', '--session', 'down'))).toBe('Here I am.');
  });
});
