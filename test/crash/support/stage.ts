import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Boundary } from '../../../shared/domain/boundaries.ts';
import { root } from '../../support/real/checkout.ts';
import { Kairos } from '../../support/real/kairos.ts';
import { waitFor } from '../../support/real/wait-for.ts';
import { PatientClient } from './client.ts';
import type { Evidence, Findings } from './evidence.ts';
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

/** A home that dies once, a person that is patient with it, and files of what happened outside. */
export interface Stage {
  readonly kairos: Kairos;
  readonly client: PatientClient;
  readonly ledger: string;
  readonly platform: string;
}

/** A conversation that passes boundaries, and what must hold after it beside what holds after every one. */
export interface Conversation {
  readonly env: Readonly<Record<string, string>>;
  readonly settings: unknown;
  /** So many messages are sent. */
  readonly messages: number;
  readonly parkingAllowed: readonly string[];
  converse(stage: Stage): Promise<void>;
  problems(stage: Stage, evidence: Evidence): Promise<string[]>;
  dispose(): Promise<void>;
}

/** Runs the conversation, dies once at `point`, is brought back, and is judged from outside. */
export async function play(point: CrashPoint, conversation: Conversation): Promise<ScenarioOutcome> {
  const stage = prepare(point, conversation);
  const { kairos, client } = stage;
  const keeper = new Keeper(kairos);
  try {
    await keeper.start();
    keeper.keep();
    client.answerPrompts();
    await conversation.converse(stage);
    await keeper.stop();
    await client.stop();
    const left = await toolsLeft(kairos);
    await stopAndStart(kairos, keeper);
    const gathered = await gather(kairos, client, stage.ledger, join(stage.platform, 'sent.jsonl'));
    const evidence = { ...gathered, parkingAllowed: conversation.parkingAllowed };
    const findings = judge(evidence);
    const more = await conversation.problems(stage, evidence);
    if (findings.messages !== conversation.messages)
      more.push(`${findings.messages} messages were sent, not ${conversation.messages}`);
    const crashed = readdirSync(kairos.base).some(
      (name) => name.startsWith('crash-') && name.endsWith('.done'),
    );
    return { ...findings, problems: [...findings.problems, ...left, ...more], crashed };
  } finally {
    await keeper.stop().catch(() => undefined);
    await client.stop().catch(() => undefined);
    await kairos.dispose();
    await conversation.dispose();
  }
}

function prepare({ role, name, side, nth }: CrashPoint, { env: extra, settings }: Conversation): Stage {
  const env: Record<string, string> = { ...extra, KAIROS_CRASH: `${role}:${name}:${side}:${nth}` };
  const kairos = new Kairos({ dist: 'dist-crash', env, settings });
  const platform = join(kairos.base, 'platform');
  mkdirSync(platform);
  env.KAIROS_CRASH_DIR = kairos.base;
  env.KAIROS_STAND_IN = join(root, 'test/support/stand-ins/platform.ts');
  env.KAIROS_STAND_IN_DIR = platform;
  Object.assign(kairos.env, env);
  return { kairos, client: new PatientClient(kairos), ledger: join(kairos.base, 'ledger'), platform };
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
