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

describe.each(wireNames)('A session over the %s wire', (wire) => {
  let home: ModelHome;
  beforeAll(async () => {
    home = await startModelHome(wire, {
      server: { answer: model },
      settings: {
        sessions: { hibernateAfterSeconds: 0.5 },
        models: {
          prices: { '*': price },
          overrides: { '*': { thinkingTokens: 2_000, images: true } },
        },
      },
    });
    writeFileSync(join(home.kairos.work, 'a.png'), samplePng());
  });
  afterAll(() => home.dispose());

  const say = async (words: string): Promise<string> =>
    replyText(await settle(home.kairos, words, '--session', 'shop'));
  const types = async (): Promise<string[]> => (await home.kairos.exported('shop')).map(({ type }) => type);
  const newest = (): Ask | undefined => home.server.requests.at(-1)?.ask;

  it('talks: the answer of the model is the answer', async () => {
    expect(await say('hello')).toBe('Hello there.');
  });

  it('runs two calls of one step and gives both results back in the next request, with the thinking as it was signed', async () => {
    const answer = await say('both');
    const turn = newest()?.turns.at(-2);
    const results = newest()
      ?.turns.at(-1)
      ?.results.map(({ name, text: said }) => [name, said]);
    expect([answer, turn?.calls.length, turn?.text, results]).toEqual([
      'one and two; 0 pictures',
      2,
      'I run two.',
      [
        ['Bash', 'one'],
        ['Bash', 'two'],
      ],
    ]);
    // Only Anthropic signs what its models think; what nobody signed goes back to nobody.
    expect(turn?.thinking).toBe(wire === 'anthropic' ? 'Two commands.' : '');
    const [thought] = bodies(await home.kairos.exported('shop'), 'step.replied').flatMap(({ reply }) =>
      reply.parts.filter((part: { type: string }) => part.type === 'thinking'),
    );
    expect(thought).toMatchObject({ text: 'Easy.', provider: wire });
  });

  it('sees a picture that it reads, in the same bytes after a hibernation', async () => {
    const answer = await say('picture');
    await allAsleep(home.kairos);
    expect([answer, await say('hello'), changedBytes(home.server.requests)]).toEqual([
      expect.stringMatching(/1 x 1 pixels.*; 1 pictures$/),
      'Hello there.',
      [],
    ]);
  });

  it('books what the provider counted, and what it cost', async () => {
    const requests = home.server.requests.length;
    const { groups } = await home.kairos.json<{ groups: Record<string, unknown>[] }>([
      'usage',
      '--by',
      'model',
    ]);
    expect([groups, home.server.complaints]).toEqual([
      [
        expect.objectContaining({
          key: home.ref,
          requests,
          inputTokens: requests * tokens.input,
          outputTokens: requests * tokens.output,
          cacheReadTokens: requests * tokens.cacheRead,
          usd: expect.closeTo(requests * usd, 6),
          reservedTokens: 0,
        }),
      ],
      [],
    ]);
  });

  it('has all of it in its log, in order', async () => {
    expect((await types()).filter((type) => type.startsWith('step.') || type.startsWith('call.'))).toEqual(
      [
        ['step.began', 'step.replied'],
        ['step.began', 'step.replied', 'call.began', 'call.ended', 'call.began', 'call.ended'],
        ['step.began', 'step.replied'],
        ['step.began', 'step.replied', 'call.began', 'call.ended'],
        ['step.began', 'step.replied'],
        ['step.began', 'step.replied'],
      ].flat(),
    );
  });
});
