import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../support/models/ask.ts';
import { call, calls, type Script, text } from '../support/models/script.ts';
import type { ModelServer } from '../support/models/server.ts';
import { startModelServer } from '../support/models/start.ts';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { bodies, replyText, settle, workFile } from './support/conversation.ts';

/** What the newest person's text asks for decides; how often it was answered stands in the turns after it. */
function model(ask: Ask): Script {
  const at = ask.turns.findLastIndex(({ role, text: said }) => role === 'user' && said.includes('please'));
  // After an empty answer two texts of the person stand in one turn.
  const whole = ask.turns[at]?.text ?? '';
  const said = whole.slice(whole.lastIndexOf('please'));
  const answered = ask.turns.slice(at + 1).filter(({ role }) => role === 'assistant').length;
  if (said.includes('for ever')) return [calls(call('Bash', { command: 'echo the same' }))];
  if (said.includes('never stop')) return [calls(call('Bash', { command: `echo ${answered}` }))];
  if (said.includes('find a tool') && answered === 0)
    return [calls(call('FindTools', { query: 'wait some seconds' }))];
  if (said.includes('find a tool') && answered === 1)
    return [calls(call('UseTool', { name: 'Sleep', input: { seconds: 0.05 } }))];
  if (said.includes('unknown tool') && answered === 0)
    return [calls(call('UseTool', { name: 'Fly', input: {} }))];
  if (said.includes('thousands') && answered === 0)
    return [
      calls(...Array.from({ length: 1_000 }, (_, at) => call('Bash', { command: `echo ${at} >> ran` }))),
    ];
  if (said.includes('say nothing')) return [];
  return [text('Here I am.')];
}

describe('A model', () => {
  let server: ModelServer;
  let kairos: Kairos;
  beforeAll(async () => {
    server = await startModelServer('anthropic', { apiKey: 'key', answer: model });
    kairos = await startKairos({
      env: { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url, KAIROS_MODEL: '' },
      // A note of the conversation with thousands of calls would be a request without tools.
      settings: { agent: { stepsPerTurn: 12, callsPerReply: 20 }, models: { sessionMemory: false } },
    });
  });
  afterAll(async () => {
    await kairos.dispose();
    await server.close();
  });

  const tools = async (session: string): Promise<unknown[]> =>
    bodies(await kairos.exported(session), 'call.began').map(({ tool }) => tool);
  const usable = async (session: string): Promise<string> =>
    replyText(await settle(kairos, 'please answer', '--session', session));

  it('that makes the same call again and again is stopped, the person is told, and the session is usable', async () => {
    const sent = await settle(kairos, 'please go on for ever', '--session', 'same');
    const outcomes = bodies(await kairos.exported('same'), 'call.ended').map(({ result }) => result.outcome);
    expect([sent.state, replyText(sent), outcomes, await usable('same')]).toEqual([
      'settled',
      'Stopped: the model made the same Bash call 7 times in a row and went on after it was told. Say what it should do instead, or choose another model.',
      ['ok', 'ok', 'ok', 'ok', 'ok', 'error', 'interrupted'],
      'Here I am.',
    ]);
  });

  it('that never comes to an end is stopped after the steps that the settings allow, with the same outcome', async () => {
    const sent = await settle(kairos, 'please never stop', '--session', 'endless');
    const steps = bodies(await kairos.exported('endless'), 'step.began').length;
    expect([sent.state, replyText(sent), steps, await usable('endless')]).toEqual([
      'settled',
      expect.stringContaining('Stopped after 12 steps in one turn'),
      12,
      'Here I am.',
    ]);
  });

  it('that asks for a thousand calls gets some of them run, is told that the others were not, and goes on', async () => {
    const before = server.complaints.length;
    const sent = await settle(kairos, 'please do thousands', '--session', 'thousands');
    const outcomes = bodies(await kairos.exported('thousands'), 'call.ended').map(({ result }) => result);
    const [first, second] = outcomes.filter(({ outcome }) => outcome === 'error');
    expect([
      replyText(sent),
      outcomes.length,
      outcomes.filter(({ outcome }) => outcome === 'ok').length,
      workFile(kairos, 'ran')?.trim().split('\n').length,
      first.output,
      second.output,
      server.complaints.length - before,
      await usable('thousands'),
    ]).toEqual([
      'Here I am.',
      1_000,
      20,
      20,
      expect.stringContaining('asked for 1000 calls, and at most 20 of one reply are run'),
      'Not run (call 22 of 1000, 20 are allowed).',
      0,
      'Here I am.',
    ]);
  });

  it('that answers nothing is asked once more, then the person is told', async () => {
    const sent = await settle(kairos, 'please say nothing', '--session', 'empty');
    expect([sent.state, replyText(sent), await usable('empty')]).toEqual([
      'settled',
      'The turn ended without an answer.',
      'Here I am.',
    ]);
  });

  it('finds a tool and uses it: the log has the inner name, the tools of all requests are the same', async () => {
    await settle(kairos, 'please find a tool', '--session', 'deferred');
    const lists = new Set(server.requests.map(({ ask }) => ask?.tools.join()));
    const found = bodies(await kairos.exported('deferred'), 'call.ended')[0].result.output;
    expect([await tools('deferred'), found, lists.size]).toEqual([
      ['FindTools', 'Sleep'],
      expect.stringContaining('## Sleep'),
      1,
    ]);
  });

  it('that names a tool which does not exist is told which there are', async () => {
    const sent = await settle(kairos, 'please use an unknown tool', '--session', 'unknown');
    const [ended] = bodies(await kairos.exported('unknown'), 'call.ended');
    expect([replyText(sent), ended.result]).toEqual([
      'Here I am.',
      { outcome: 'error', output: expect.stringContaining('There is no tool "Fly"') },
    ]);
  });

  it('gets a first request of at most 12 KB', async () => {
    await usable('fresh');
    const size = server.requests.at(-1)?.rawBody.length ?? 0;
    expect([size > 4_000, size <= 12 * 1024]).toEqual([true, true]);
  });
});
