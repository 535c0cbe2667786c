import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Boundary } from '../../../shared/domain/boundaries.ts';
import { root } from '../../support/real/checkout.ts';
import { Kairos } from '../../support/real/kairos.ts';
import { waitFor } from '../../support/real/wait-for.ts';
import { type StandInSurface, writeIncoming } from '../../support/stand-ins/platform.ts';
import { PatientClient } from './client.ts';
import type { Findings } from './evidence.ts';
import { gather } from './gather.ts';
import { Keeper } from './keeper.ts';
import { judge } from './oracle.ts';

/** Where to die. */
export interface CrashPoint {
  readonly role: 'worker' | 'daemon' | 'supervisor';
  readonly name: Boundary;
  readonly side: 'before' | 'after';
  readonly nth: number;
}

/** What a conversation with one crash came to. `crashed` false: the point was never passed. */
export interface ScenarioOutcome extends Findings {
  readonly crashed: boolean;
}

interface Stage {
  readonly kairos: Kairos;
  readonly client: PatientClient;
  readonly ledger: string;
  readonly platform: string;
}

/** Runs one conversation that passes every boundary, dies once at `point`, is brought back, and is judged from outside. */
export async function runScenario(point: CrashPoint): Promise<ScenarioOutcome> {
  const stage = prepare(point);
  const { kairos, client } = stage;
  const keeper = new Keeper(kairos);
  try {
    await keeper.start();
    keeper.keep();
    client.answerPrompts();
    await converse(stage);
    await keeper.stop();
    await client.stop();
    const left = await toolsLeft(kairos);
    await stopAndStart(kairos, keeper);
    const findings = judge(await gather(kairos, client, stage.ledger, join(stage.platform, 'sent.jsonl')));
    const crashed = readdirSync(kairos.base).some(
      (name) => name.startsWith('crash-') && name.endsWith('.done'),
    );
    return { ...findings, problems: [...findings.problems, ...left], crashed };
  } finally {
    await keeper.stop().catch(() => undefined);
    await client.stop().catch(() => undefined);
    await kairos.dispose();
  }
}

function prepare({ role, name, side, nth }: CrashPoint): Stage {
  const env: Record<string, string> = { KAIROS_CRASH: `${role}:${name}:${side}:${nth}` };
  const settings = { sessions: { hibernateAfterSeconds: 0.2 } };
  const kairos = new Kairos({ dist: 'dist-crash', env, settings });
  const platform = join(kairos.base, 'platform');
  mkdirSync(platform);
  env.KAIROS_CRASH_DIR = kairos.base;
  env.KAIROS_STAND_IN = join(root, 'test/support/stand-ins/platform.ts');
  env.KAIROS_STAND_IN_DIR = platform;
  Object.assign(kairos.env, env);
  return { kairos, client: new PatientClient(kairos), ledger: join(kairos.base, 'ledger'), platform };
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

/** An orderly stop as a service manager asks for it (which may be where it dies), nothing left, a start that finds everything. */
async function stopAndStart(kairos: Kairos, keeper: Keeper): Promise<void> {
  for (const { pid } of kairos.processes('supervisor')) process.kill(pid, 'SIGTERM');
  await waitFor(() => kairos.processes('supervisor').length === 0, {
    what: 'the end of the supervisor',
    withinMs: 15_000,
  });
  await kairos.nothingLeft();
  await keeper.start();
}

/** What commands left behind although every call has ended. */
async function toolsLeft(kairos: Kairos): Promise<string[]> {
  const gone = (): boolean => kairos.processes('tool').length === 0;
  const isGone = await waitFor(gone, { what: 'the end of the commands', withinMs: 5_000 }).catch(() => false);
  return isGone ? [] : kairos.processes('tool').map(({ command }) => `a tool outlived its call: ${command}`);
}
