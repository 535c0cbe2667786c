import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeRefusal } from '../../support/real/bridge-client.ts';
import { modelEnvironment } from '../../support/real/model-home.ts';
import type { ModelServer } from '../../support/models/server.ts';
import { startModelServer } from '../../support/models/start.ts';
import { waitFor } from '../../support/real/wait-for.ts';
import type { Conversation, Stage } from './stage.ts';
import { checkContexts, checkMoney, checkRaises, type Raises } from './work-checks.ts';
import { wishes, workModel } from './work-model.ts';

const price = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 };
/** Passed after two or three requests. */
const dayUsd = 0.02;
const raiseUsd = 5;
const settings = {
  sessions: { hibernateAfterSeconds: 2 },
  models: { overrides: { '*': { contextTokens: 9_000, maxOutputTokens: 1_000 } }, prices: { '*': price } },
  budgets: { dayUsd, sessionDayTokens: null },
  agent: { repeatLimit: 1 },
};

/** Work with a model over HTTP in a small window on a small budget: compaction, notes, background tasks, raises, a turn that goes nowhere. */
export async function workConversation(): Promise<Conversation> {
  const server = await startModelServer('anthropic', { apiKey: 'key' });
  const raises: Raises = { by: raiseUsd, from: dayUsd, asked: 0, acknowledged: 0 };
  return {
    env: modelEnvironment(server),
    settings,
    messages: 4,
    parkingAllowed: ['budget'],
    async converse(stage) {
      server.answerWith(workModel(stage.ledger));
      await converse(stage, server, raises);
    },
    async problems(stage, evidence) {
      return [
        ...server.complaints.map((complaint) => `the model complained: ${complaint}`),
        ...checkContexts(evidence, server.requests),
        ...(await checkMoney(stage, evidence, server.requests)),
        ...(await checkRaises(stage, raises)),
      ];
    },
    dispose: () => server.close(),
  };
}

async function converse(stage: Stage, server: ModelServer, raises: Raises): Promise<void> {
  const { kairos, client } = stage;
  mkdirSync(join(kairos.work, '.git'));
  writeFileSync(join(kairos.work, 'AGENTS.md'), 'Use tabs.');
  await client.makeSession('main', { mode: 'bypassPermissions' });
  const say = async (text: string): Promise<void> => {
    const uuid = await client.send({ session: 'main', text });
    await client.settled(uuid, 60_000, () => raise(stage, raises));
  };
  await say(wishes.work);
  await within(2_000, () => server.requests.some(({ ask }) => ask?.system.includes('running note')));
  writeFileSync(join(kairos.work, 'AGENTS.md'), 'Use spaces from now on.');
  await say(wishes.start);
  await within(8_000, () => server.requests.some(({ ask }) => heardOfTask(ask?.turns.at(-1)?.text)));
  await say(wishes.loop);
  await say(wishes.once);
}

const heardOfTask = (text = ''): boolean => text.includes('[background task ended]');

/** Raises the limit when the session still stops for it: a raise is not repeated blindly. */
async function raise({ kairos, client }: Stage, raises: Raises): Promise<void> {
  const { state } = await client.insist<{ state: string }>('GET', '/sessions/main');
  if (state !== 'parked') return;
  raises.asked += 1;
  try {
    const body = { limit: 'day', by: raises.by };
    await kairos.bridge.get({ method: 'POST', path: '/usage/raise', body });
    raises.acknowledged += 1;
  } catch (error) {
    if (error instanceof BridgeRefusal && error.status < 500) throw error;
  }
}

/** Waits for something that a crash may have made impossible. */
async function within(ms: number, isSo: () => boolean): Promise<void> {
  await waitFor(isSo, { what: 'what a crash may prevent', withinMs: ms }).catch(() => undefined);
}
