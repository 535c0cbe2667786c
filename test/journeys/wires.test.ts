import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../support/models/ask.ts';
import { call, calls, type Script, text, thinking, usage } from '../support/models/script.ts';
import { wireNames } from '../support/models/start.ts';
import { allAsleep } from '../support/real/measure.ts';
import { type ModelHome, startModelHome } from '../support/real/model-home.ts';
import { changedBytes } from '../support/models/stable-body.ts';
import { samplePng } from '../worker/support/sample-files.ts';
import { bodies, replyText, settle } from './support/conversation.ts';

const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const tokens = { input: 1_000, output: 200, cacheRead: 3_000, cacheWrite: 0 };
/** Dollars of one such request. */
const usd = (1_000 * price.input + 200 * price.output + 3_000 * price.cacheRead) / 1e6;

/** "both": thinks and makes two calls at once. "picture": reads one. Then it says what it got. */
function model(ask: Ask): Script {
  const last = ask.turns.at(-1);
  const figures = usage(tokens);
  if (last?.results.length === 0) {
    if (last.text.includes('both')) {
      const both = ['one', 'two'].map((word) => call('Bash', { command: `printf ${word}` }));
      return [figures, thinking('Two commands.'), text('I run two.'), calls(...both)];
    }
    if (last.text.includes('picture'))
      return [figures, thinking('A picture.'), calls(call('Read', { file_path: 'a.png' }))];
    return [figures, thinking('Easy.'), text('Hello there.')];
  }
  const pictures = ask.turns.reduce((sum, turn) => sum + turn.images + imagesOf(turn.results), 0);
  const got = last?.results.map(({ text: said }) => said).join(' and ');
  return [figures, thinking('So.'), text(`${got}; ${pictures} pictures`)];
}

const imagesOf = (results: Ask['turns'][number]['results']): number =>
  results.reduce((sum, { images }) => sum + images, 0);

function startHome(wire: (typeof wireNames)[number]): Promise<ModelHome> {
  return startModelHome(wire, {
    server: { answer: model },
    settings: {
      sessions: { hibernateAfterSeconds: 0.5 },
      models: {
        prices: { '*': price },
        overrides: { '*': { thinkingTokens: 2_000, images: true } },
      },
    },
  });
}

/** The steps and calls of `hello`, `both`, `picture`, `hello`. */
const steps = [
  ['step.began', 'step.replied'],
  ['step.began', 'step.replied', 'call.began', 'call.ended', 'call.began', 'call.ended'],
  ['step.began', 'step.replied'],
  ['step.began', 'step.replied', 'call.began', 'call.ended'],
  ['step.began', 'step.replied'],
  ['step.began', 'step.replied'],
].flat();

async function say({ kairos }: ModelHome, words: string): Promise<string> {
  return replyText(await settle(kairos, words, '--session', 'shop'));
}

/** The model's turn before the newest results, and those, as the newest request has them. */
function newestStep({ server }: ModelHome) {
  const turns = server.requests.at(-1)?.ask?.turns ?? [];
  const [turn, results] = [turns.at(-2), turns.at(-1)?.results];
  return {
    said: turn?.text,
    calls: turn?.calls.length,
    results: results?.map(({ name, text: output }) => `${name}: ${output}`),
    thinking: turn?.thinking,
  };
}

/** What the model thought, as the log has it. */
async function thoughts({ kairos }: ModelHome): Promise<unknown[]> {
  return bodies(await kairos.exported('shop'), 'step.replied').flatMap(({ reply }) =>
    reply.parts.filter((part: { type: string }) => part.type === 'thinking'),
  );
}

describe.each(wireNames)('A session over the %s wire', (wire) => {
  let home: ModelHome;
  beforeAll(async () => {
    home = await startHome(wire);
    writeFileSync(join(home.kairos.work, 'a.png'), samplePng());
  });
  afterAll(() => home.dispose());

  it('talks: the answer of the model is the answer', async () => {
    expect(await say(home, 'hello')).toBe('Hello there.');
  });

  it('runs two calls of one step and gives both results back in the next request, with the thinking as it was signed', async () => {
    const answer = await say(home, 'both');
    expect({ answer, ...newestStep(home), stored: (await thoughts(home))[1] }).toEqual({
      answer: 'one and two; 0 pictures',
      said: 'I run two.',
      calls: 2,
      results: ['Bash: one', 'Bash: two'],
      // Only Anthropic signs what its models think; what nobody signed goes back to nobody.
      thinking: wire === 'anthropic' ? 'Two commands.' : '',
      stored: expect.objectContaining({ text: 'Two commands.', provider: wire }),
    });
  });

  it('sees a picture that it reads, in the same bytes after a hibernation', async () => {
    const answer = await say(home, 'picture');
    await allAsleep(home.kairos);
    expect([answer, await say(home, 'hello'), changedBytes(home.server.requests)]).toEqual([
      expect.stringMatching(/1 x 1 pixels.*; 1 pictures$/),
      'Hello there.',
      [],
    ]);
  });

  it('books what the provider counted and what it cost, and has all of it in its log, in order', async () => {
    const { kairos, server, ref } = home;
    const requests = server.requests.length;
    const { groups } = await kairos.json<{ groups: unknown[] }>(['usage', '--by', 'model']);
    const types = (await kairos.exported('shop')).map(({ type }) => type);
    expect([groups, server.complaints, types.filter((type) => /^(step|call)\./.test(type))]).toEqual([
      [
        expect.objectContaining({
          key: ref,
          requests,
          inputTokens: requests * tokens.input,
          outputTokens: requests * tokens.output,
          cacheReadTokens: requests * tokens.cacheRead,
          usd: expect.closeTo(requests * usd, 6),
          reservedTokens: 0,
        }),
      ],
      [],
      steps,
    ]);
  });
});
