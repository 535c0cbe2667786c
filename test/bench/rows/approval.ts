import { randomUUID } from 'node:crypto';
import { type Kairos, withKairos } from '../../support/real/kairos.ts';
import type { Frame, TopicClient } from '../../support/real/topic-client.ts';
import { allAsleep, followSession, newSession, nextEvent } from '../../support/real/measure.ts';
import { median, spread } from '../../support/samples.ts';
import type { Figure, Row } from '../row.ts';

function openPrompt(frame: Frame): { code: string } | undefined {
  if (frame.type !== 'change' || frame.topic !== 'home') return undefined;
  const change = frame['change'] as { type: string; prompt?: { code: string; state: string } };
  return change.type === 'prompt' && change.prompt?.state === 'open' ? change.prompt : undefined;
}

async function once(
  kairos: Kairos,
  viewer: TopicClient,
  session: string,
  index: number,
  sleepFirst: boolean,
) {
  const uuid = randomUUID();
  const settled = nextEvent(viewer, 'message.settled', ({ message }) => message === uuid);
  const asked = nextEvent(viewer, 'step.replied');
  const shown = viewer
    .next((frame) => openPrompt(frame) !== undefined)
    .then((frame) => ({ at: performance.now(), code: openPrompt(frame)?.code ?? '' }));
  await kairos.bridge.get({
    method: 'POST',
    path: '/messages',
    body: { uuid, session, text: `run true ${index}` },
  });
  const { at, code } = await shown;
  const toShown = at - (await asked);
  if (sleepFirst) await allAsleep(kairos);
  const started = nextEvent(viewer, 'call.began');
  const sent = performance.now();
  await kairos.bridge.get({
    method: 'POST',
    path: `/prompts/${code}/verdict`,
    body: { verdict: { behavior: 'allow', scope: 'once' } },
  });
  const toStarted = (await started) - sent;
  await settled;
  return { toShown, toStarted };
}

async function samples(sleepFirst: boolean, count: number): Promise<{ shown: number[]; started: number[] }> {
  const shown: number[] = [];
  const started: number[] = [];
  await withKairos(
    { settings: { sessions: { hibernateAfterSeconds: sleepFirst ? 0.2 : 60 } } },
    async (kairos) => {
      const session = await newSession(kairos, 'asks', 'default');
      const viewer = await followSession(kairos, session);
      await once(kairos, viewer, session, -1, false);
      for (let index = 0; index < count; index += 1) {
        const { toShown, toStarted } = await once(kairos, viewer, session, index, sleepFirst);
        shown.push(toShown);
        started.push(toStarted);
      }
      await viewer.close();
    },
  );
  return { shown, started };
}

/** From the stored request to a person's eyes, and from the verdict to the tool. */
export const approvalRow: Row = {
  name: 'approval',
  title: 'Approvals',
  async run(): Promise<readonly Figure[]> {
    const live = await samples(false, 15);
    const asleep = await samples(true, 7);
    return [
      {
        name: 'call asked for -> visible in topic home',
        value: median(live.shown),
        unit: 'ms',
        target: 50,
        note: spread(live.shown),
      },
      {
        name: 'verdict sent -> tool started, live',
        value: median(live.started),
        unit: 'ms',
        target: 50,
        note: spread(live.started),
      },
      {
        name: 'verdict sent -> tool started, from sleep',
        value: median(asleep.started),
        unit: 'ms',
        target: 300,
        note: spread(asleep.started),
      },
    ];
  },
};
