import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DraftText } from '../../../electron/worker/agent/ports.ts';
import type { Refreshed } from '../../../electron/worker/model/request/credentials.ts';
import { isModelWait } from '../../../shared/domain/model-wait.ts';
import { createGate } from '../../support/models/gate.ts';
import * as say from '../../support/models/script.ts';
import type { ModelServer } from '../../support/models/server.ts';
import { startModelServer, wireNames } from '../../support/models/start.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { choiceFor, greeting, quickLimits, rig, shown } from './support/model-rig.ts';

const textOf = (parts: readonly { readonly type: string; readonly text?: string }[]): string =>
  parts.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('');

/** Lets sockets and promises of this process come to rest without waiting for time to pass. */
const settle = async (until: () => boolean): Promise<void> => {
  while (!until()) await new Promise((resolve) => setImmediate(resolve));
};

for (const wire of wireNames)
  describe(`over the wire ${wire}`, () => {
    let server: ModelServer;
    beforeEach(async () => {
      server = await startModelServer(wire);
    });
    afterEach(() => server.close());
    const set = (more: Partial<Parameters<typeof rig>[0]> = {}) =>
      rig({ choices: [choiceFor(server)], ...more });

    const passing: readonly [string, readonly say.Script[], readonly string[]][] = [
      ['429 with seconds', [[say.httpError(429, { retryAfter: 0 })]], []],
      ['429 with a date', [[say.httpError(429, { retryAfter: new Date(0) })]], []],
      ['429 with milliseconds', [[say.httpError(429, { retryAfterMs: 5 })]], []],
      ['500, then 529', [[say.httpError(500)], [say.httpError(529)]], []],
      ['an error in the stream', [[say.text('half '), say.streamError()]], ['half ']],
      ['a malformed chunk at the beginning', [[say.malformed()]], []],
      [
        'a malformed chunk in the middle',
        [[say.text('half '), say.malformed(), say.text('more')]],
        ['half '],
      ],
      ['a cut before the head', [[say.cut()]], []],
      ['a cut stream', [[say.text('half '), say.cut()]], ['half ']],
      ['a stream that ends early', [[say.text('half '), say.endEarly()]], ['half ']],
      ['a cut inside the input of a call', [[say.calls(say.brokenCall('Bash', '{"com')), say.cut()]], []],
      ["a proxy's page", [[say.page()]], []],
    ];

    test.each(passing)(
      '%s is asked again; what was shown is emptied, one answer stays',
      async (_name, failing, half) => {
        const { ask, drafts } = set();
        server.enqueue(...failing, [say.text('whole')]);
        const { reply } = await ask();
        const restarts = drafts.filter(({ restart }) => restart === true).length;
        expect({
          parts: reply.parts,
          requests: new Set(server.requests.map(({ rawBody }) => rawBody.toString())).size,
          tried: server.requests.length,
          half: drafts.slice(0, half.length).map(({ text }) => text),
          shown: shown(drafts),
          restarted: restarts <= failing.length && (half.length === 0 || restarts === 1),
        }).toEqual({
          parts: [{ type: 'text', text: 'whole' }],
          requests: 1,
          tried: failing.length + 1,
          half,
          shown: ['whole'],
          restarted: true,
        });
      },
    );

    test.each<[string, say.Script, string, RegExp]>([
      [
        '400',
        [say.httpError(400, { message: 'bad tool' })],
        'model_refused_request',
        /answered 400: bad tool\. Check/,
      ],
      ['404', [say.httpError(404)], 'model_refused_request', /answered 404/],
      [
        'too long',
        [say.httpError(400, { message: 'prompt is too long: 9 tokens' })],
        'context_too_long',
        /Compact/,
      ],
      ['403', [say.httpError(403)], 'credential_refused', /There is no newer key\. Give a valid key/],
      [
        'a login page',
        [say.page('<html>', { status: 200 })],
        'model_refused_request',
        /is no model \(status 200, text\/html\)/,
      ],
      [
        'JSON where a stream was asked for',
        [say.page('{}', { status: 200, contentType: 'application/json' })],
        'model_refused_request',
        /is no model \(status 200, application\/json\)/,
      ],
    ])('%s is told at once, in words', async (_name, script, code, words) => {
      const { failing } = set();
      server.enqueue(script);
      expect([await failing(), server.requests.length]).toEqual([
        { code, text: expect.stringMatching(words) },
        1,
      ]);
    });

    test('a server that stays overloaded, or is not there, is given up after the limit', async () => {
      const { failing } = set();
      server.answerWith(() => [say.httpError(529, { message: 'Overloaded' })]);
      const overloaded = await failing();
      const tried = server.requests.length;
      await server.close();
      expect([overloaded, tried, await failing()]).toEqual([
        { code: 'model_failed', text: expect.stringContaining('answered 529: Overloaded.') },
        quickLimits.attempts,
        {
          code: 'model_unreachable',
          text: expect.stringContaining('cannot be reached: connect ECONNREFUSED'),
        },
      ]);
    });

    test('the next model answers when the first gave up in the middle; the reply names it and nothing doubles', async () => {
      const second = choiceFor(server, { ref: 'spare/small', model: 'stand-in-small' });
      const { ask, drafts } = set({ choices: [choiceFor(server), second] });
      server.answerWith(({ model }) =>
        model === 'stand-in-large' ? [say.text('half'), say.cut()] : [say.text('from the spare')],
      );
      const { reply } = await ask();
      expect([reply.model, reply.parts, shown(drafts)]).toEqual([
        'spare/small',
        [{ type: 'text', text: 'from the spare' }],
        ['from the spare'],
      ]);
    });

    test('when every model failed, the first failure is told with the others', async () => {
      const second = choiceFor(server, { ref: 'spare/small', model: 'unknown' });
      const { failing } = set({ choices: [choiceFor(server), second] });
      server.enqueue([say.httpError(402, { message: 'pay' })]);
      expect(await failing()).toEqual({
        code: 'model_refused_request',
        text: expect.stringMatching(
          /answered 402: pay\..*The models after it failed too: spare\/small answered 404/,
        ),
      });
    });

    test('a refused key is refreshed once, and the fresh one is used from then on', async () => {
      const asked: unknown[] = [];
      const refresh = async (input: unknown): Promise<Refreshed> => {
        asked.push(input);
        return { kind: 'fresh', credential: { value: server.apiKey ?? '', version: 2 } };
      };
      const { ask } = set({ secret: 'sk-old', refresh });
      server.answerWith(() => [say.text('hello')]);
      const replies = [await ask(), await ask()].map(({ reply }) => textOf(reply.parts));
      expect([replies, asked, server.requests.length]).toEqual([
        ['hello', 'hello'],
        [{ name: 'key', version: 1 }],
        3,
      ]);
    });

    test('a fresh key that is refused too ends it after one refresh', async () => {
      let asked = 0;
      const refresh = async (): Promise<Refreshed> => {
        asked += 1;
        return { kind: 'fresh', credential: { value: 'sk-also-wrong', version: 2 } };
      };
      const { failing } = set({ secret: 'sk-old', refresh });
      expect([(await failing()).code, asked, server.requests.length]).toEqual(['credential_refused', 1, 2]);
    });

    test('a model that needs no key and wants one all the same says which setting is missing', async () => {
      const { failing } = set({ choices: [choiceFor(server, { ref: 'gateway/large', credential: null })] });
      expect([await failing(), server.requests.length]).toEqual([
        {
          code: 'credential_refused',
          text: expect.stringMatching(
            /^gateway\/large answered 401: .* It was asked without a key: keyEnv \(and its variable\) or keyCommand is missing for provider gateway \(models\.providers\.gateway in settings\.json\)\./,
          ),
        },
        1,
      ]);
    });

    test('a model whose key is missing is a problem that is told before a step begins', () => {
      const { model } = set({ choices: [choiceFor(server, { credential: 'absent' })] });
      expect(model.problem).toEqual({
        code: 'credential_missing',
        reason: expect.stringMatching(/needs the key "absent".*kairos models/),
      });
    });

    test('the key is in no error and no draft, also when the server repeats it', async () => {
      const canary = 'sk-canary-0123456789';
      const { failing, drafts } = set({ secret: canary });
      const outcomes = [await failing()];
      server.enqueue([say.httpError(400, { message: `your key ${canary} is odd` })]);
      outcomes.push(await failing());
      expect(JSON.stringify([outcomes, drafts])).not.toContain(canary);
    });

    test('stopped in the middle of an answer it ends at once, and its connection is gone', async () => {
      const gate = createGate();
      const { failing, drafts } = set();
      const stop = new AbortController();
      server.enqueue([say.text('half '), say.wait(gate), say.text('never')]);
      const end = failing({ signal: stop.signal });
      await settle(() => drafts.length > 0);
      stop.abort();
      expect([(await end).code, await server.requests[0]?.outcome, server.requests.length]).toEqual([
        'aborted',
        'left',
        1,
      ]);
    });

    test('each wait is told in words without what the server said, and its end', async () => {
      const told: (string | null)[] = [];
      const { ask, failing } = set();
      server.enqueue([say.httpError(529, { message: 'secret words' })], [say.cut()], [say.text('whole')]);
      await ask({ onWait: (text) => told.push(text) });
      await server.close();
      await failing({ onWait: (text) => told.push(text) });
      expect(told.slice(0, 6)).toEqual([
        "the model's server is overloaded (529), trying again in 1 s",
        null,
        expect.stringMatching(
          /^the model's server (cannot be reached|broke off its answer), trying again in 1 s$/,
        ),
        null,
        "the model's server cannot be reached, trying again in 1 s",
        null,
      ]);
      expect([told.length % 2, told.at(-1), told.filter(isModelWait).length]).toEqual([
        0,
        null,
        told.length / 2,
      ]);
    });

    test('stopped while it waits to ask again it ends at once', async () => {
      const { failing } = set({
        limits: { ...quickLimits, firstWaitMs: 60_000, longestWaitMs: 60_000, totalWaitMs: 600_000 },
      });
      const stop = new AbortController();
      server.enqueue([say.httpError(500)]);
      const end = failing({ signal: stop.signal });
      await settle(() => server.requests.length > 0);
      await server.requests[0]?.outcome;
      stop.abort();
      expect((await end).code).toBe('aborted');
    });

    test.each<[string, (gate: ReturnType<typeof createGate>) => say.Script, number, RegExp]>([
      ['no first byte', (gate) => [say.wait(gate)], 60_000, /did not begin to answer within 60 s/],
      [
        'silence after some text',
        (gate) => [say.text('half'), say.wait(gate)],
        120_000,
        /fell silent in the middle of its answer for 120 s/,
      ],
    ])('%s is a time-out that breaks the connection', async (_name, script, ms, words) => {
      const [gate, clock] = [createGate(), new ManualClock()];
      const { failing, drafts } = set({ clock, limits: { ...quickLimits, attempts: 1 } });
      server.enqueue(script(gate));
      const end = failing();
      await gate.reached();
      if (ms > 60_000) await settle(() => drafts.length > 0);
      clock.advance(ms - 1);
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(1);
      const outcome = await end;
      expect([outcome, await server.requests[0]?.outcome, clock.waiting]).toEqual([
        { code: 'model_unreachable', text: expect.stringMatching(words) },
        'left',
        0,
      ]);
    });

    test('a trickle that never falls silent ends with the time for a whole answer', async () => {
      const [gate, clock] = [createGate(), new ManualClock()];
      const { failing, drafts } = set({ clock });
      server.enqueue([say.endless('never', { gate, text: 'drip ' })]);
      const end = failing();
      while (clock.now() < 15 * 60_000) {
        const before = drafts.length;
        gate.step();
        await settle(() => {
          if (drafts.length === before) gate.step();
          return drafts.length > before;
        });
        clock.advance(100_000);
      }
      expect(await end).toEqual({
        code: 'model_failed',
        text: expect.stringMatching(/did not finish its answer within 900 s/),
      });
    });

    test('what a person is about to be told is shown as text while it is written', async () => {
      const { ask, drafts } = set();
      server.enqueue([say.calls(say.call('SendUserMessage', { message: 'Hello "you"\nthere' }))]);
      await ask();
      expect([shown(drafts), new Set(drafts.map(({ kind }: Omit<DraftText, 'step'>) => kind))]).toEqual([
        ['Hello "you"\nthere'],
        new Set(['text']),
      ]);
    });

    test('a request beside the conversation has no tools and gives plain text', async () => {
      const { model } = set();
      server.enqueue([say.thinking('hm'), say.text('A summary.')]);
      const written = await model.write?.({
        system: 'Summarize.',
        text: 'long',
        maxOutputTokens: 300,
        signal: new AbortController().signal,
      });
      const [seen] = server.requests;
      expect([written?.text, written?.usage.outputTokens, seen?.ask?.tools, seen?.ask?.maxTokens]).toEqual([
        'A summary.',
        expect.any(Number),
        [],
        300,
      ]);
    });

    test('the first request is small: nothing but what was given, and the tools in their order', async () => {
      const { ask } = set();
      server.enqueue([say.text('x')]);
      await ask();
      const [seen] = server.requests;
      const given = JSON.stringify([greeting.role, 'You are Kairos.']).length;
      expect([
        seen?.ask?.tools,
        (seen?.rawBody.length ?? 0) < given + 900,
        seen?.rawBody.includes('$schema'),
      ]).toEqual([['Bash', 'SendUserMessage', 'UseTool'], true, false]);
    });
  });

test('Eight sessions whose key ran out ask for a fresh one once each, and each is answered.', async () => {
  const server = await startModelServer('anthropic', { answer: () => [say.text('hello')] });
  let asked = 0;
  const refresh = async (): Promise<Refreshed> => {
    asked += 1;
    return { kind: 'fresh', credential: { value: server.apiKey ?? '', version: 2 } };
  };
  const sessions = Array.from({ length: 8 }, () =>
    rig({ choices: [choiceFor(server)], secret: 'sk-old', refresh }),
  );
  const replies = await Promise.all(sessions.map(({ ask }) => ask()));
  await server.close();
  expect([replies.map(({ reply }) => textOf(reply.parts)), asked]).toEqual([Array(8).fill('hello'), 8]);
});
