import { setTimeout as delay } from 'node:timers/promises';
import type { Outgoing, PatientClient } from './client.ts';
import type { Random } from './seeded-random.ts';

/** One person with one session. */
export interface Talk {
  readonly client: PatientClient;
  readonly index: number;
  readonly ledger: string;
  readonly random: Random;
  readonly signal: AbortSignal;
}

/** So many messages of one person may wait at a time. */
const mostOpen = 3;

/** Sends message after message into one session until `signal`; resolves when each of them is settled. */
export async function keepTalking({ client, index, ledger, random, signal }: Talk): Promise<void> {
  const open = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for (let number = 0; !signal.aborted; number += 1) {
    const uuid = await client.send(nextMessage(index, number, ledger, random));
    const settled: Promise<void> = client
      .settled(uuid, 120_000)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => open.delete(settled));
    open.add(settled);
    if (open.size >= mostOpen) await Promise.race(open);
    if (failures.length > 0) break;
    await delay(random.between(0, 150));
  }
  await Promise.all(open);
  if (failures.length > 0) throw failures[0];
}

function nextMessage(index: number, number: number, ledger: string, random: Random): Outgoing {
  const count = random.between(1, 3);
  const lines = Array.from({ length: count }, (_, line) =>
    nextLine(`c-${index}-${number}-${line}`, ledger, random),
  );
  const dice = random.below(20);
  const queue = dice === 0 ? 'replace' : dice < 10 ? 'next_step' : 'after_turn';
  // Half of the sessions ask for everything, the others for nothing.
  return {
    session: `s${index}`,
    mode: index % 2 === 0 ? 'default' : 'bypassPermissions',
    queue,
    text: lines.join('\n'),
  };
}

function nextLine(id: string, ledger: string, random: Random): string {
  const dice = random.below(20);
  if (dice < 7) return `run echo ${id} >> ${ledger}`;
  if (dice < 10) return `run sleep 0.1; echo ${id} >> ${ledger}`;
  if (dice < 13) return `run echo ${id} >> ${ledger}; sleep 0.1`;
  if (dice < 14) return `run echo ${id} >> ${ledger} # deny-me`;
  if (dice < 16) return `write ${id}.txt: text of ${id}`;
  if (dice < 17) return 'ask me Which one? [A | B]';
  if (dice < 19) return `sleep ${random.between(20, 300)}ms`;
  return 'help';
}
