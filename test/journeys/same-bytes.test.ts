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

describe.each(wireNames)('The requests of a session over the %s wire', (wire) => {
  let home: ModelHome;
  let held: Gate | null = null;
  beforeAll(async () => {
    home = await startModelHome(wire, {
      server: { answer: (ask) => (held === null ? model(ask) : [wait(held), ...model(ask)]) },
      settings: {
        sessions: { hibernateAfterSeconds: 0.3 },
        models: { overrides: { '*': { thinkingTokens: 2_000 } } },
      },
    });
  });
  afterAll(() => home.dispose());

  const conversation = (): readonly SeenRequest[] =>
    home.server.requests.filter(({ ask }) => ask !== undefined && ask.tools.length > 0);
  const say = async (task: number): Promise<string> =>
    replyText(await settle(home.kairos, `task ${task}`, '--session', 'long'));
  const done = (task: number): string => `Done: first task ${task}, second task ${task}`;

  it('begin with the bytes of the earlier ones after a hibernation', async () => {
    const answers = [await say(1)];
    await allAsleep(home.kairos);
    answers.push(await say(2));
    expect([answers, conversation().length, changedBytes(conversation())]).toEqual([
      [done(1), done(2)],
      4,
      [],
    ]);
  });

  it('begin with the bytes of the earlier ones after a restart of the daemon', async () => {
    await home.kairos.stopDaemon();
    await home.kairos.startDaemon();
    expect([await say(3), changedBytes(conversation())]).toEqual([done(3), []]);
  });

  it.each(['worker', 'daemon', 'supervisor'] satisfies ProcessKind[])(
    'are repeated byte for byte when the %s is killed in the middle of one',
    async (kind) => {
      const { kairos } = home;
      const task = 10 + conversation().length;
      const before = conversation().length;
      const gate = createGate();
      held = gate;
      const { message } = await send(kairos, `task ${task}`, '--session', 'long');
      await gate.reached();
      for (const { pid } of kairos.processes(kind)) killNow(pid);
      if (kind === 'supervisor') {
        await kairos.nothingLeft();
        await kairos.startDaemon();
      }
      await gate.reached(2);
      held = null;
      gate.open();
      const answer = replyText(await settled(kairos, message));
      const [first, repeated] = conversation().slice(before);
      expect([
        answer,
        conversation().length - before,
        first?.rawBody.toString('utf8') === repeated?.rawBody.toString('utf8'),
        changedBytes(conversation()),
      ]).toEqual([done(task), 3, true, []]);
    },
  );

  it('are read from the cache by more than 90 % over 20 turns, a hibernation between them', async () => {
    home.server.forgetCache();
    const before = conversation().length;
    const { kairos } = home;
    for (let task = 100; task < 120; task += 1) {
      if (task === 110) await allAsleep(kairos);
      expect(replyText(await settle(kairos, `task ${task}`, '--session', 'twenty'))).toBe(done(task));
    }
    const requests = conversation().slice(before);
    const share = cacheReadShare(requests);
    expect([requests.length, changedBytes(requests), home.server.complaints]).toEqual([40, [], []]);
    expect(share).toBeGreaterThanOrEqual(0.9);
    const ledger = await kairos.json<{ groups: { cacheReadTokens: number }[] }>([
      'usage',
      '--session',
      'twenty',
    ]);
    const read = requests.reduce((sum, { prompt }) => sum + (prompt?.cacheRead ?? 0), 0);
    expect(ledger.groups.reduce((sum, group) => sum + group.cacheReadTokens, 0)).toBe(read);
  }, 120_000);

  it('lost nothing and doubled nothing in the log', async () => {
    const log = await home.kairos.exported('long');
    const states = bodies(log, 'call.ended').map(({ result }) => result.outcome);
    expect([new Set(states), states.length]).toEqual([new Set(['ok']), 12]);
  });
});
