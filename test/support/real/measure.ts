import { randomUUID } from 'node:crypto';
import type { Kairos } from './kairos.ts';
import { memoryOf } from './processes.ts';
import { type Frame, type TopicClient, followTopics } from './topic-client.ts';
import { waitFor } from './wait-for.ts';

/** Megabytes of the whole tree of a home. */
export function treeMegabytes(kairos: Kairos): number {
  return memoryOf(kairos.processes().map(({ pid }) => pid)) / 1024 / 1024;
}

/** Makes a session without saying anything. */
export async function newSession(kairos: Kairos, name: string, mode = 'bypassPermissions'): Promise<string> {
  const body = { name, mode, dir: kairos.work };
  return (await kairos.bridge.get<{ id: string }>({ method: 'POST', path: '/sessions', body })).id;
}

/** A session followed by a viewer, which is what times are taken with. */
export async function followSession(kairos: Kairos, session: string): Promise<TopicClient> {
  return followTopics(kairos.bridge, [`session:${session}`, 'home']);
}

function isEvent(frame: Frame, type: string): boolean {
  return frame.type === 'event' && (frame['event'] as { type: string }).type === type;
}

/** The next event of a type, with the monotonic ms of its arrival. */
export async function nextEvent(
  viewer: TopicClient,
  type: string,
  fits: (body: Record<string, unknown>) => boolean = () => true,
): Promise<number> {
  await viewer.next(
    (frame) => isEvent(frame, type) && fits((frame['event'] as { body: Record<string, unknown> }).body),
  );
  return performance.now();
}

/** Sends without waiting for anything but the acknowledgement; `at` is when the request left. */
export async function say(
  kairos: Kairos,
  session: string,
  text: string,
): Promise<{ uuid: string; at: number }> {
  const uuid = randomUUID();
  const at = performance.now();
  await kairos.bridge.get({ method: 'POST', path: '/messages', body: { uuid, session, text } });
  return { uuid, at };
}

/** Says something and resolves with the ms until its settling arrived at the viewer. */
export async function roundTrip(
  kairos: Kairos,
  viewer: TopicClient,
  session: string,
  text: string,
): Promise<number> {
  const uuid = randomUUID();
  const settled = nextEvent(viewer, 'message.settled', ({ message }) => message === uuid);
  const at = performance.now();
  await kairos.bridge.get({ method: 'POST', path: '/messages', body: { uuid, session, text } });
  return (await settled) - at;
}

/** Resolves when no worker lives. */
export function allAsleep(kairos: Kairos): Promise<unknown> {
  return waitFor(() => kairos.processes('worker').length === 0, { what: 'hibernation', withinMs: 20_000 });
}
