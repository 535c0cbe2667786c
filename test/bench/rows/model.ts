import { setTimeout as delay } from 'node:timers/promises';
import { type Kairos, withKairos } from '../../support/real/kairos.ts';
import {
  allAsleep,
  followSession,
  newSession,
  nextEvent,
  say,
  treeMegabytes,
} from '../../support/real/measure.ts';
import { cpuOf } from '../../support/real/processes.ts';
import type { TopicClient } from '../../support/real/topic-client.ts';
import { median, repeat, spread } from '../../support/samples.ts';
import type { Figure, Row } from '../row.ts';
import { type InstantModel, startInstantModel } from '../support/instant-model.ts';

type WireName = 'anthropic' | 'openai';

interface Place {
  readonly kairos: Kairos;
  readonly model: InstantModel;
  readonly viewer: TopicClient;
  readonly session: string;
}

function environment(wire: WireName, { url }: InstantModel): Record<string, string> {
  const name = wire.toUpperCase();
  const base = wire === 'anthropic' ? url : `${url}/v1`;
  return { [`${name}_API_KEY`]: 'bench', [`${name}_BASE_URL`]: base, KAIROS_MODEL: `${wire}/bench-model` };
}

/** A fresh home with one session that a viewer follows. */
async function withPlace(
  wire: WireName,
  sessions: Record<string, unknown>,
  body: (place: Place) => Promise<void>,
): Promise<void> {
  const model = await startInstantModel();
  try {
    await withKairos({ env: environment(wire, model), settings: { sessions } }, async (kairos) => {
      const session = await newSession(kairos, 'bench');
      const viewer = await followSession(kairos, session);
      await body({ kairos, model, viewer, session });
      await viewer.close();
    });
  } finally {
    await model.close();
  }
}

interface Turn {
  /** Sent -> the model has the request. */
  readonly toRequest: number;
  /** The model's last byte -> the message at the viewer. */
  readonly toVisible: number;
  readonly whole: number;
  readonly bytes: number;
  readonly body: string;
}

async function plainTurn({ kairos, model, viewer, session }: Place): Promise<Turn> {
  const visible = nextEvent(viewer, 'message.sent');
  const settled = nextEvent(viewer, 'message.settled');
  const { at } = await say(kairos, session, 'hello');
  const request = await model.next();
  const shown = await visible;
  await settled;
  return {
    toRequest: request.at - at,
    toVisible: shown - (await request.lastByte),
    whole: shown - at,
    bytes: request.bytes,
    body: request.body,
  };
}

/** Drafts are sent at most every 34 ms; right after another turn's the first piece of this one would wait. */
const draftPauseMs = 100;

/** First piece of the answer -> draft at the viewer. */
async function toDraft({ kairos, model, viewer, session }: Place): Promise<number> {
  await delay(draftPauseMs);
  const settled = nextEvent(viewer, 'message.settled');
  const draft = viewer
    .next((frame) => frame.type === 'draft' && frame['kind'] === 'text' && frame['text'] !== '')
    .then(() => performance.now());
  await say(kairos, session, 'hello [[hold]]');
  const request = await model.next();
  const took = (await draft) - (await request.firstByte);
  model.release();
  await settled;
  return took;
}

/** Last byte of the answer that asks for a call -> request with its result. */
async function toNextRequest({ kairos, model, viewer, session }: Place): Promise<number> {
  const settled = nextEvent(viewer, 'message.settled');
  await say(kairos, session, 'hello [[tool]]');
  const first = await model.next();
  const second = await model.next();
  await settled;
  return second.at - (await first.lastByte);
}

/** What turns in a row cost. */
async function plainFigures(wire: WireName, place: Place): Promise<Figure[]> {
  const { kairos } = place;
  await repeat(5, async () => (await plainTurn(place)).whole);
  const turns: Turn[] = [];
  const pids = kairos.processes('supervisor', 'daemon', 'worker').map(({ pid }) => pid);
  const before = cpuOf(pids);
  for (let index = 0; index < 50; index += 1) turns.push(await plainTurn(place));
  const cpu = (cpuOf(pids) - before) / turns.length;
  const memory = treeMegabytes(kairos);
  const requests = turns.map(({ toRequest }) => toRequest);
  const visible = turns.map(({ toVisible }) => toVisible);
  return [
    {
      name: `message -> model request, live (${wire})`,
      measure: 'message -> model request',
      value: median(requests),
      unit: 'ms',
      target: 8,
      pass: 20,
      note: spread(requests),
    },
    {
      name: `model's last byte -> visible, final (${wire})`,
      measure: 'last byte -> visible',
      value: median(visible),
      unit: 'ms',
      target: 8,
      note: spread(visible),
    },
    {
      name: `CPU per turn (${wire})`,
      measure: 'CPU per turn',
      value: cpu,
      unit: 'ms',
      target: 25,
      note: '50 turns',
    },
    {
      name: `tree after 55 turns, session awake (${wire})`,
      measure: 'memory after 50 turns',
      value: memory,
      unit: 'MB',
      target: 160,
    },
  ];
}

async function live(wire: WireName): Promise<Figure[]> {
  const figures: Figure[] = [];
  await withPlace(wire, {}, async (place) => {
    figures.push(...(await plainFigures(wire, place)));
    const drafts = await repeat(15, () => toDraft(place));
    const calls = await repeat(15, () => toNextRequest(place));
    figures.push(
      {
        name: `model's first piece -> visible draft (${wire})`,
        value: median(drafts),
        unit: 'ms',
        target: 3,
        note: spread(drafts),
      },
      {
        name: `tool call -> next request, runs \`true\` (${wire})`,
        measure: 'tool call -> next request',
        value: median(calls),
        unit: 'ms',
        target: 25,
        note: spread(calls),
      },
    );
  });
  return figures;
}

async function asleep(wire: WireName): Promise<Figure[]> {
  const samples: number[] = [];
  await withPlace(wire, { hibernateAfterSeconds: 0.2 }, async (place) => {
    await plainTurn(place);
    for (let index = 0; index < 9; index += 1) {
      await allAsleep(place.kairos);
      samples.push((await plainTurn(place)).toRequest);
    }
  });
  return [
    {
      name: `message -> model request, from sleep (${wire})`,
      value: median(samples),
      unit: 'ms',
      target: 250,
      pass: 400,
      note: spread(samples),
    },
  ];
}

async function first(wire: WireName): Promise<Figure[]> {
  const turns: Turn[] = [];
  for (let index = 0; index < 5; index += 1)
    await withPlace(wire, {}, async (place) => void turns.push(await plainTurn(place)));
  const whole = turns.map((turn) => turn.whole);
  const [bytes, characters] = [turns.map((turn) => turn.bytes), turns.map(({ body }) => body.length)];
  return [
    {
      name: `first turn after the start, sent -> visible (${wire})`,
      measure: 'first turn after start',
      value: median(whole),
      unit: 'ms',
      target: 250,
      note: spread(whole),
    },
    {
      name: `first request of a fresh session (${wire})`,
      measure: 'first request',
      value: Math.max(...bytes),
      unit: 'bytes',
      target: 12 * 1024,
      note: 'the largest of 5',
    },
    {
      name: `the same in tokens (${wire})`,
      measure: 'size of the first request',
      value: Math.max(...characters) / 4,
      unit: 'tokens',
      target: 3_000,
      note: 'characters of the body / 4',
    },
  ];
}

/** What Kairos itself adds to a turn with a model, over both wires. */
export const modelRow: Row = {
  name: 'model',
  title: 'Turns with a model (loopback, answers at once)',
  run: async () => [
    ...(await live('anthropic')),
    ...(await asleep('anthropic')),
    ...(await first('anthropic')),
    ...(await live('openai')),
    ...(await asleep('openai')),
    ...(await first('openai')),
  ],
};
