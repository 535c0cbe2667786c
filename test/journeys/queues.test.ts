import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExportedEvent, type Kairos, startKairos } from '../support/real/kairos.ts';
import { bodies, fileHas, settled } from './support/conversation.ts';

let kairos: Kairos;
beforeAll(async () => {
  kairos = await startKairos();
});
afterAll(() => kairos.dispose());

type Queue = 'next_step' | 'after_turn' | 'replace';

async function post(session: string, text: string, queue: Queue = 'after_turn'): Promise<string> {
  const uuid = randomUUID();
  const body = { uuid, text, session, queue, mode: 'bypassPermissions', dir: kairos.work };
  await kairos.bridge.get({ method: 'POST', path: '/messages', body });
  return uuid;
}

function settledBy(log: readonly ExportedEvent[], uuids: readonly string[]): unknown[] {
  const settling = bodies(log, 'message.settled');
  return uuids.map((uuid) => settling.filter(({ message }) => message === uuid).map(({ by }) => by));
}

describe('Three messages that arrive while another one is being worked on are each answered once', () => {
  it.each([
    ['next_step', ['reply', 'reply', 'reply', 'reply']],
    ['after_turn', ['reply', 'reply', 'reply', 'reply']],
    ['replace', ['interrupted', 'interrupted', 'interrupted', 'reply']],
  ] as const)('in queue mode %s', async (queue, expected) => {
    const first = await post(queue, `run echo began >> ${queue}.txt; sleep 0.7`);
    await fileHas(kairos, `${queue}.txt`, 'began');
    const uuids = [first];
    for (const number of [1, 2, 3]) {
      uuids.push(await post(queue, `run echo ${number} >> ${queue}.txt; sleep 0.4`, queue));
      // A replacing message has to find the turn of the one before it running.
      if (queue === 'replace') await fileHas(kairos, `${queue}.txt`, `${number}`);
    }
    for (const uuid of uuids) await settled(kairos, uuid);
    const log = await kairos.exported(queue);
    expect(settledBy(log, uuids)).toEqual(expected.map((by) => [by]));
  });
});

it('A message that arrives exactly as a turn ends is answered', async () => {
  const session = 'edge';
  await settled(kairos, await post(session, 'help'));
  const uuids: string[] = [];
  for (let round = 0; round < 30; round += 1) {
    const uuid = await post(session, 'help', 'next_step');
    uuids.push(uuid);
    // The next one is sent as soon as this one is settled, so it meets the end of its turn.
    await settled(kairos, uuid);
  }
  const log = await kairos.exported(session);
  expect(settledBy(log, uuids)).toEqual(uuids.map(() => ['reply']));
});

it('Many messages at once into one session are all answered, in order', async () => {
  const uuids = await Promise.all(Array.from({ length: 20 }, () => post('crowd', 'help', 'next_step')));
  for (const uuid of uuids) await settled(kairos, uuid);
  const log = await kairos.exported('crowd');
  expect(settledBy(log, uuids)).toEqual(uuids.map(() => ['reply']));
});
