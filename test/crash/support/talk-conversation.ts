import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kairos } from '../../support/real/kairos.ts';
import { waitFor } from '../../support/real/wait-for.ts';
import { type StandInSurface, writeIncoming } from '../../support/stand-ins/platform.ts';
import type { PatientClient } from './client.ts';
import type { Conversation, Stage } from './stage.ts';

/** The offline conversation: every kind of line, queues, three platforms, an interrupt, sleep. */
export function talkConversation(): Conversation {
  return {
    env: {},
    settings: { sessions: { hibernateAfterSeconds: 0.2 } },
    messages: 7,
    parkingAllowed: [],
    converse,
    problems: async () => [],
    dispose: async () => undefined,
  };
}

/** In this order, so that the first passing of a boundary is one that matters: a command that takes effect, a blind delivery. */
async function converse({ kairos, client, ledger, platform }: Stage): Promise<void> {
  await client.makeSession('main');
  const many = await client.send({ session: 'main', text: everything(ledger) });
  const queued = await client.send({
    session: 'main',
    text: `run echo c-queued >> ${ledger}`,
    queue: 'after_turn',
  });
  await client.settled(many);
  await client.settled(queued);
  for (const surface of ['standin-blind', 'standin-keyed', 'standin-readback'] as const) {
    await settledOnceStored(client, sendFromPlatform(client, platform, surface));
    await delivered(platform, surface);
  }
  const text = `run echo c-long >> ${ledger}; sleep 60`;
  const long = await client.send({ session: 'long', mode: 'bypassPermissions', text });
  await interruptWhenRunning(client, ledger, long);
  await asleep(kairos);
  await client.settled(await client.send({ session: 'main', text: 'read notes.txt' }));
}

function everything(ledger: string): string {
  return [
    `run echo c-first >> ${ledger}`,
    'write notes.txt: one line',
    'edit notes.txt: one => two',
    'read notes.txt',
    `run echo c-denied >> ${ledger} # deny-me`,
    'ask me Which one? [A | B]',
    'sleep 200ms',
    `run echo c-last >> ${ledger}`,
  ].join('\n');
}

/** Stored when the daemon has taken it from the inbox; what the platform has accepted counts as acknowledged. */
function sendFromPlatform(client: PatientClient, platform: string, surface: StandInSurface): string {
  const uuid = randomUUID();
  writeIncoming(platform, { uuid, session: 'main', surface, chat: `chat-${surface}`, text: 'help' });
  client.acknowledged.push({ uuid, session: 'main' });
  return uuid;
}

async function settledOnceStored(client: PatientClient, uuid: string): Promise<void> {
  const until = performance.now() + 60_000;
  for (;;) {
    try {
      return await client.settled(uuid);
    } catch (error) {
      if (performance.now() > until) throw error;
      await delay(50);
    }
  }
}

/** Interrupts the long command once it has begun, again and again until its message is settled. */
async function interruptWhenRunning(client: PatientClient, ledger: string, uuid: string): Promise<void> {
  let over = false;
  const settled = client.settled(uuid).finally(() => (over = true));
  while (!over) {
    if (existsSync(ledger) && readFileSync(ledger, 'utf8').includes('c-long')) await client.interrupt('long');
    await delay(50);
  }
  await settled;
}

/** Resolves when every session has hibernated. */
async function asleep(kairos: Kairos): Promise<void> {
  const until = performance.now() + 10_000;
  while (performance.now() < until) {
    if (kairos.processes('worker').length === 0) return;
    await delay(50);
  }
  throw new Error('the sessions did not go to sleep within 10 s');
}

/** A delivery goes on after its message is settled; it leaves a line unless it became uncertain. */
async function delivered(platform: string, surface: StandInSurface): Promise<void> {
  const file = join(platform, 'sent.jsonl');
  const isThere = (): boolean => existsSync(file) && readFileSync(file, 'utf8').includes(`"chat-${surface}"`);
  await waitFor(isThere, { what: 'a delivery', withinMs: 3_000 }).catch(() => undefined);
}
