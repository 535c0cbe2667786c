import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../support/models/ask.ts';
import { createGate, type Gate } from '../support/models/gate.ts';
import { call, calls, type Script, text, thinking, wait } from '../support/models/script.ts';
import { cacheReadShare, type SeenRequest } from '../support/models/seen.ts';
import { changedBytes } from '../support/models/stable-body.ts';
import { wireNames } from '../support/models/start.ts';
import { killNow, type ProcessKind } from '../support/real/processes.ts';
import { allAsleep } from '../support/real/measure.ts';
import { type ModelHome, startModelHome } from '../support/real/model-home.ts';
import { bodies, replyText, send, settle, settled } from './support/conversation.ts';

/** Every message costs two requests: one that thinks and runs two commands, one that answers. */
function model(ask: Ask): Script {
  const last = ask.turns.at(-1);
  if (last?.results.length === 0) {
    const task = /task \d+/.exec(last.text)?.[0] ?? 'nothing';
    const commands = ['first', 'second'].map((which) => call('Bash', { command: `echo ${which} ${task}` }));
    return [thinking(`I do ${task}.`), text('I look.'), calls(...commands)];
  }
  return [thinking('Good.'), text(`Done: ${last?.results.map(({ text: said }) => said.trim()).join(', ')}`)];
}

/** A home whose model stops after its thinking while there is a gate. */
interface Held extends ModelHome {
  gate: Gate | null;
}

async function heldHome(wire: (typeof wireNames)[number]): Promise<Held> {
  const made: { current: Held | null } = { current: null };
  const home = await startModelHome(wire, {
    server: {
      answer(ask) {
        const gate = made.current?.gate ?? null;
        const script = model(ask);
        return gate === null ? script : [...script.slice(0, 1), wait(gate), ...script.slice(1)];
      },
    },
    settings: {
      sessions: { hibernateAfterSeconds: 0.3 },
      models: { overrides: { '*': { thinkingTokens: 2_000 } } },
    },
  });
  made.current = { ...home, gate: null };
  return made.current;
}

/** The requests of sessions; those beside them (notes) name no tools. */
function conversation({ server }: ModelHome): readonly SeenRequest[] {
  return server.requests.filter(({ ask }) => ask !== undefined && ask.tools.length > 0);
}

async function say({ kairos }: ModelHome, task: number, session: string): Promise<string> {
  return replyText(await settle(kairos, `task ${task}`, '--session', session));
}

const done = (task: number): string => `Done: first task ${task}, second task ${task}`;

/** Kills while the model is answering, and gives the requests of that turn and its answer. */
async function killedInTheMiddle(home: Held, kind: ProcessKind, task: number) {
  const { kairos } = home;
  const before = conversation(home).length;
  const gate = createGate();
  home.gate = gate;
  const { message } = await send(kairos, `task ${task}`, '--session', 'long');
  await gate.reached();
  for (const { pid } of kairos.processes(kind)) killNow(pid);
  if (kind === 'supervisor') {
    await kairos.nothingLeft();
    await kairos.startDaemon();
  }
  await gate.reached(2);
  home.gate = null;
  gate.open();
  const answer = replyText(await settled(kairos, message));
  return { answer, requests: conversation(home).slice(before) };
}

describe.each(wireNames)('The requests of a session over the %s wire', (wire) => {
  let home: Held;
  beforeAll(async () => {
    home = await heldHome(wire);
  });
  afterAll(() => home.dispose());

  it('begin with the bytes of the earlier ones after a hibernation', async () => {
    const answers = [await say(home, 1, 'long')];
    await allAsleep(home.kairos);
    answers.push(await say(home, 2, 'long'));
    const requests = conversation(home);
    expect([answers, requests.length, changedBytes(requests)]).toEqual([[done(1), done(2)], 4, []]);
  });

  it('begin with the bytes of the earlier ones after a restart of the daemon', async () => {
    await home.kairos.stopDaemon();
    await home.kairos.startDaemon();
    expect([await say(home, 3, 'long'), changedBytes(conversation(home))]).toEqual([done(3), []]);
  });

  it.each([
    ['worker', 4],
    ['daemon', 5],
    ['supervisor', 6],
  ] as const)('are repeated byte for byte when the %s is killed in the middle of one', async (kind, task) => {
    const { answer, requests } = await killedInTheMiddle(home, kind, task);
    const [first, repeated] = requests.map(({ rawBody }) => rawBody.toString('utf8'));
    expect([answer, requests.length, first === repeated, changedBytes(conversation(home))]).toEqual([
      done(task),
      3,
      true,
      [],
    ]);
  });

  it('had every call run once, whatever was killed', async () => {
    const log = await home.kairos.exported('long');
    const outcomes = bodies(log, 'call.ended').map(({ result }) => result.outcome);
    expect([new Set(outcomes), outcomes.length]).toEqual([new Set(['ok']), 12]);
  });
});

it.each(wireNames)(
  'Of 20 turns over the %s wire more than 90 % is read from the cache, a hibernation between them, and booked so',
  async (wire) => {
    const home = await heldHome(wire);
    try {
      for (let task = 1; task <= 20; task += 1) {
        if (task === 10) await allAsleep(home.kairos);
        expect(await say(home, task, 'twenty')).toBe(done(task));
      }
      const requests = conversation(home);
      const ledger = await home.kairos.json<{ groups: { cacheReadTokens: number }[] }>(['usage']);
      expect([
        requests.length,
        changedBytes(requests),
        home.server.complaints,
        ledger.groups.reduce((sum, group) => sum + group.cacheReadTokens, 0),
      ]).toEqual([40, [], [], requests.reduce((sum, { prompt }) => sum + (prompt?.cacheRead ?? 0), 0)]);
      expect(cacheReadShare(requests)).toBeGreaterThanOrEqual(0.9);
    } finally {
      await home.dispose();
    }
  },
  120_000,
);
