import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../support/models/ask.ts';
import { createGate, type Gate } from '../support/models/gate.ts';
import { call, calls, type Script, text, thinking, wait } from '../support/models/script.ts';
import { wireNames } from '../support/models/start.ts';
import { type ModelHome, startModelHome } from '../support/real/model-home.ts';
import { killNow, type ProcessKind } from '../support/real/processes.ts';
import { bodies, fileHas, replyText, send, settle, settled } from './support/conversation.ts';

/** Where the model's answers wait for the test. */
interface Gates {
  /** Between the pieces of a call's input. */
  input: Gate | null;
  /** Before the answer to a result. */
  result: Gate | null;
}

/** Runs what follows "please run"; says what came of it. */
function model(ask: Ask, gates: Gates): Script {
  const last = ask.turns.at(-1);
  const [result] = last?.results ?? [];
  if (result !== undefined) {
    const answer = text(`Got: ${result.text.trim().slice(0, 40)}`);
    return gates.result === null ? [answer] : [wait(gates.result), answer];
  }
  const [, command] = /please run (.*)/.exec(last?.text ?? '') ?? [];
  if (command === undefined) return [text('Here I am.')];
  const asked = calls(call('Bash', { command }));
  const paced = gates.input === null ? asked : { ...asked, chunk: 4, gate: gates.input };
  return [thinking('Hm.'), text('I run it.'), paced];
}

const kinds = ['worker', 'daemon'] as const satisfies readonly ProcessKind[];

function startHome(wire: (typeof wireNames)[number], gates: Gates): Promise<ModelHome> {
  return startModelHome(wire, {
    server: { answer: (ask) => model(ask, gates) },
    settings: { models: { overrides: { '*': { thinkingTokens: 2_000 } } } },
  });
}

function begin({ kairos }: ModelHome, session: string, command: string) {
  return send(kairos, `please run ${command}`, '--session', session, '--mode', 'bypassPermissions');
}

function kill({ kairos }: ModelHome, kind: ProcessKind): void {
  for (const { pid } of kairos.processes(kind)) killNow(pid);
}

/** What the message was answered, how its calls ended, and whether the model takes the conversation as it is now. */
async function after({ kairos, server }: ModelHome, session: string, message: string) {
  const answer = replyText(await settled(kairos, message));
  const outcomes = bodies(await kairos.exported(session), 'call.ended').map(({ result }) => result.outcome);
  const next = replyText(await settle(kairos, 'hello', '--session', session));
  return { answer, outcomes, next, complaints: server.complaints };
}

describe.each(wireNames)('Over the %s wire, after a kill -9', (wire) => {
  const gates: Gates = { input: null, result: null };
  let home: ModelHome;
  beforeAll(async () => {
    home = await startHome(wire, gates);
  });
  afterAll(() => home.dispose());

  it.each(kinds)(
    'of the %s while a call is half streamed it is asked for again and run once',
    async (kind) => {
      const gate = createGate();
      gates.input = gate;
      gate.step(3);
      const { message } = await begin(home, `half-${kind}`, `echo x >> half-${kind}; cat half-${kind}`);
      await gate.reached(4);
      kill(home, kind);
      gates.input = null;
      gate.open();
      expect(await after(home, `half-${kind}`, message)).toEqual({
        answer: 'Got: x',
        outcomes: ['ok'],
        next: 'Here I am.',
        complaints: [],
      });
    },
  );

  it.each(kinds)('of the %s while a call runs it is not run again, and the model is told', async (kind) => {
    const { kairos } = home;
    const wanted = `echo x >> run-${kind}; while [ ! -e go-${kind} ]; do sleep 0.02; done`;
    const { message } = await begin(home, `run-${kind}`, wanted);
    await fileHas(kairos, `run-${kind}`, 'x');
    kill(home, kind);
    const done = await after(home, `run-${kind}`, message);
    writeFileSync(join(kairos.work, `go-${kind}`), '');
    expect(done).toEqual({
      answer: expect.stringMatching(/^Got: Outcome unknown/),
      outcomes: ['unknown'],
      next: 'Here I am.',
      complaints: [],
    });
  });

  it.each(kinds)('of the %s while the model reads a result it is asked the same again', async (kind) => {
    const gate = createGate();
    gates.result = gate;
    const { message } = await begin(home, `read-${kind}`, `echo x >> read-${kind}; cat read-${kind}`);
    await gate.reached();
    kill(home, kind);
    await gate.reached(2);
    gates.result = null;
    gate.open();
    const [first, second] = home.server.requests.slice(-2).map(({ rawBody }) => rawBody.toString('utf8'));
    expect([first === second, await after(home, `read-${kind}`, message)]).toEqual([
      true,
      { answer: 'Got: x', outcomes: ['ok'], next: 'Here I am.', complaints: [] },
    ]);
  });
});
