import { setTimeout as delay } from 'node:timers/promises';
import { type Kairos, withKairos } from '../../support/real/kairos.ts';
import { cpuOf } from '../../support/real/processes.ts';
import {
  allAsleep,
  followSession,
  newSession,
  nextEvent,
  roundTrip,
  say,
  treeMegabytes,
} from '../../support/real/measure.ts';
import { median, repeat, spread } from '../../support/samples.ts';
import type { Figure, Row } from '../row.ts';
import type { TopicClient } from '../../support/real/topic-client.ts';

async function storedToStep(kairos: Kairos, viewer: TopicClient, session: string): Promise<number> {
  const stored = nextEvent(viewer, 'message.received');
  const begun = nextEvent(viewer, 'step.began');
  const settled = nextEvent(viewer, 'message.settled');
  await say(kairos, session, 'help');
  const took = (await begun) - (await stored);
  await settled;
  return took;
}

async function callToNextStep(kairos: Kairos, viewer: TopicClient, session: string): Promise<number> {
  const settled = nextEvent(viewer, 'message.settled');
  const replied = nextEvent(viewer, 'step.replied');
  const next = nextEvent(viewer, 'step.began', ({ n }) => n === 2);
  await say(kairos, session, 'run true');
  const took = (await next) - (await replied);
  await settled;
  return took;
}

async function live(): Promise<Figure[]> {
  const figures: Figure[] = [];
  await withKairos({}, async (kairos) => {
    const idle = treeMegabytes(kairos);
    const session = await newSession(kairos, 'turns');
    const viewer = await followSession(kairos, session);
    await repeat(5, () => roundTrip(kairos, viewer, session, 'help'));
    const steps = await repeat(31, () => storedToStep(kairos, viewer, session));
    const calls = await repeat(15, () => callToNextStep(kairos, viewer, session));
    const pids = kairos.processes('supervisor', 'daemon', 'worker').map(({ pid }) => pid);
    const before = cpuOf(pids);
    const turns = await repeat(50, () => roundTrip(kairos, viewer, session, 'help'));
    const perTurn = (cpuOf(pids) - before) / 50;
    const after = treeMegabytes(kairos);
    await viewer.close();
    figures.push(
      {
        name: 'message stored -> step begun, live',
        value: median(steps),
        unit: 'ms',
        target: 8,
        pass: 20,
        note: spread(steps),
      },
      {
        name: 'tool call asked for -> next step begun (runs `true`)',
        value: median(calls),
        unit: 'ms',
        target: 25,
        note: spread(calls),
      },
      {
        name: 'whole turn, sent -> settled at the viewer',
        value: median(turns),
        unit: 'ms',
        note: spread(turns),
      },
      { name: 'CPU per turn (daemon and worker)', value: perTurn, unit: 'ms', target: 25, note: '50 turns' },
      { name: 'tree before the first turn', value: idle, unit: 'MB', target: 100, pass: 120 },
      { name: 'tree after about 100 turns, session awake', value: after, unit: 'MB', target: 160 },
    );
  });
  return figures;
}

async function asleep(): Promise<Figure[]> {
  const figures: Figure[] = [];
  await withKairos({ settings: { sessions: { hibernateAfterSeconds: 0.2 } } }, async (kairos) => {
    const session = await newSession(kairos, 'sleeper');
    const viewer = await followSession(kairos, session);
    await roundTrip(kairos, viewer, session, 'help');
    await allAsleep(kairos);
    const before = treeMegabytes(kairos);
    const steps = await repeat(9, async () => {
      const took = await storedToStep(kairos, viewer, session);
      await allAsleep(kairos);
      return took;
    });
    await repeat(50, () => roundTrip(kairos, viewer, session, 'help'));
    await allAsleep(kairos);
    // Memory is given back once it has been quiet for a while.
    await delay(7_000);
    const after = treeMegabytes(kairos);
    await viewer.close();
    figures.push(
      {
        name: 'message stored -> step begun, from sleep',
        value: median(steps),
        unit: 'ms',
        target: 250,
        note: spread(steps),
      },
      {
        name: 'tree after 50 turns and hibernation',
        value: after,
        unit: 'MB',
        target: 100,
        pass: 120,
        note: `${before.toFixed(1)} before`,
      },
    );
  });
  return figures;
}

/** What a turn costs in time, CPU and memory. */
export const turnsRow: Row = {
  name: 'turns',
  title: 'Turns (offline engine)',
  run: async () => [...(await live()), ...(await asleep())],
};
