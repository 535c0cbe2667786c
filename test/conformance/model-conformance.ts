import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallResult, ContextMessage, Reply } from '../../shared/domain/messages.ts';
import { costOf, type ModelPrice } from '../../shared/domain/models.ts';
import type { ModelPort } from '../../electron/worker/agent/ports.ts';
import { asking, shown } from '../worker/model/support/model-rig.ts';
import { ok, TurnScript } from '../worker/support/messages.ts';

/** A model that takes `run echo hi` as a Bash call, tells its output with SendUserMessage, and then says nothing more. */
export interface ModelSubject {
  readonly model: ModelPort;
  readonly ref: string;
  readonly price: ModelPrice | null;
  /** Bodies of the requests so far, in order; null: it makes none. */
  bodies(): readonly unknown[] | null;
  close(): Promise<void>;
}

const call = (tool: string, input: unknown) => ({
  type: 'call',
  id: expect.stringMatching(/^[a-zA-Z0-9_-]{5,40}$/),
  tool,
  input,
});

/** The list that every model port keeps. */
export function modelConformance(name: string, open: () => Promise<ModelSubject>): void {
  describe(`model port: ${name}`, () => {
    let subject: ModelSubject;
    beforeAll(async () => {
      subject = await open();
    });
    afterAll(() => subject.close());
    turns(() => subject);
    repeats(() => subject);
    money(() => subject);
  });
}

/** Takes a turn to its end; gives every reply with what a viewer saw of it. */
async function turn({ model }: ModelSubject) {
  const messages = new TurnScript().person('run echo hi');
  const steps: { reply: Reply; shown: readonly string[] }[] = [];
  for (let step = 1; step <= 5; step += 1) {
    const { ask, drafts } = asking(model);
    const { reply } = await ask({ step: `stp_${step}`, messages: messages.messages });
    steps.push({ reply, shown: shown(drafts) });
    messages.reply(reply, () => ok('hi'));
    if (reply.stop !== 'calls') break;
  }
  return { steps, messages: messages.messages };
}

function turns(opened: () => ModelSubject): void {
  test('can be used, and says what fits into a request', () => {
    const { problem, limits } = opened().model;
    expect([problem, limits.ref, limits.contextTokens > 0, limits.maxOutputTokens > 0]).toEqual([
      null,
      opened().ref,
      true,
      true,
    ]);
  });

  test('a call, its result, a message, an end', async () => {
    const { steps } = await turn(opened());
    expect(steps.map(({ reply }) => reply)).toEqual([
      { model: opened().ref, parts: [call('Bash', { command: 'echo hi' })], stop: 'calls' },
      {
        model: opened().ref,
        parts: [call('SendUserMessage', expect.objectContaining({ message: expect.stringContaining('hi') }))],
        stop: 'calls',
      },
      { model: opened().ref, parts: [], stop: 'end' },
    ]);
  });

  test('what a person is told is on the screen before it is stored', async () => {
    const { steps } = await turn(opened());
    const told = steps[1]?.reply.parts[0];
    expect(steps[1]?.shown).toEqual([
      told?.type === 'call' ? (told.input as { message: string }).message : '',
    ]);
  });

  test('takes results of every outcome, and calls that have none', async () => {
    const outcomes: readonly CallResult['outcome'][] = ['ok', 'error', 'denied', 'unknown', 'interrupted'];
    const first = await turn(opened());
    const withOutcome = (outcome: CallResult['outcome']): ContextMessage[] =>
      first.messages
        .slice(0, 3)
        .map((message) =>
          message.role === 'result' ? { ...message, result: { outcome, output: 'why' } } : message,
        );
    const lists = [...outcomes.map(withOutcome), first.messages.slice(0, 2)];
    const replies = await Promise.all(
      lists.map((messages) => asking(opened().model).ask({ step: 'stp_9', messages })),
    );
    expect(replies.map(({ reply }) => reply.model)).toEqual(lists.map(() => opened().ref));
  });
}

function repeats(opened: () => ModelSubject): void {
  test('the identical request again gives the identical reply, ids of calls included', async () => {
    const ask = async () => {
      const messages = new TurnScript().person('run echo hi').messages;
      return asking(opened().model).ask({ step: 'stp_7', messages });
    };
    expect(await ask()).toEqual(await ask());
  });

  test('calls of different steps have different ids', async () => {
    const { steps } = await turn(opened());
    const ids = steps.flatMap(({ reply }) =>
      reply.parts.map((part) => (part.type === 'call' ? part.id : '')),
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('requests of a turn begin with the bytes of the one before, but for the marks of the cache', async () => {
    const before = opened().bodies()?.length ?? 0;
    await turn(opened());
    const bodies = (opened().bodies() ?? []).slice(before).map(withoutMarks);
    for (const [index, body] of bodies.entries()) {
      const earlier = bodies[index - 1];
      if (earlier === undefined) continue;
      const { messages, ...rest } = earlier as { messages: readonly unknown[] };
      const { messages: longer, ...same } = body as { messages: readonly unknown[] };
      expect([JSON.stringify(same), JSON.stringify(longer.slice(0, messages.length))]).toEqual([
        JSON.stringify(rest),
        JSON.stringify(messages),
      ]);
    }
  });
}

function money(opened: () => ModelSubject): void {
  test('tells what it used and what that cost', async () => {
    const { usage } = await asking(opened().model).ask({
      messages: new TurnScript().person('run echo hi').messages,
    });
    const { microUsd, estimated: _estimated, ...tokens } = usage;
    expect([Object.values(tokens).every((count) => count >= 0), microUsd]).toEqual([
      true,
      costOf(tokens, opened().price),
    ]);
  });

  test('writes plain text beside the conversation, or says that it cannot', async () => {
    const written = await opened().model.write?.({
      system: 'Write a note.',
      text: 'run echo hi',
      maxOutputTokens: 100,
      signal: new AbortController().signal,
    });
    expect(written === undefined || typeof written.text === 'string').toBe(true);
  });
}

/** A body without what moves from request to request. */
function withoutMarks(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), function (this: unknown, key: string, value: unknown) {
    return key === 'cache_control' ? undefined : value;
  }) as unknown;
}
