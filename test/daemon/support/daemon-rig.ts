import {
  createMemoryDisk,
  createMemoryStore,
  type MemoryDisk,
  type MemoryStore,
} from '../../../electron/daemon/events/memory/memory-store.ts';
import { FullDiskPatience } from '../../../electron/daemon/events/full-disk.ts';
import type { NewSession, NewWake, StepTerms } from '../../../electron/daemon/events/port.ts';
import type { SessionRow } from '../../../electron/daemon/events/rows.ts';
import { ProblemBoard } from '../../../electron/daemon/supervision/problem-board.ts';
import type { Log } from '../../../shared/base/ports.ts';
import type { EffectClass } from '../../../shared/domain/effects.ts';
import { type Origin, type Route, viewersRoute } from '../../../shared/domain/origin-route.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import { Life } from '../../support/sim/life.ts';
import { Random } from '../../support/sim/random.ts';
import { continuations } from '../../support/sim/scheduler.ts';
import { createSimIds } from '../../support/sim/sim-ids.ts';
import { VirtualTime } from '../../support/sim/virtual-time.ts';

export const owner: Origin = { principal: 'owner', trust: 'owner', surface: 'viewers' };
export const terms: StepTerms = {
  reservation: { tokens: 0, microUsd: 0 },
  limits: { dayMicroUsd: null, sessionDayTokens: null },
  policy: 'test',
};
export const startedAt = Date.UTC(2026, 10, 30, 9);

/** What stages of the daemon stand on, in memory: time moves only by `pass`, logs are kept. */
export class DaemonRig {
  readonly time = new VirtualTime(startedAt);
  readonly clock = this.time.clock(new Life('test'));
  readonly ids = createSimIds(new Random(1, 'test'));
  readonly disk: MemoryDisk;
  readonly store: MemoryStore;
  readonly problems = new ProblemBoard(this.clock);
  readonly patience = new FullDiskPatience({ clock: this.clock, problems: this.problems });
  readonly logged: string[] = [];
  readonly log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (_fields, message) => void this.logged.push(`warn: ${message}`),
    error: (_fields, message) => void this.logged.push(`error: ${message}`),
  };
  #uuid = 0;

  constructor(options: { disk?: MemoryDisk; deliveryClass?: (surface: string) => EffectClass } = {}) {
    this.disk = options.disk ?? createMemoryDisk();
    const { clock, ids, disk } = this;
    const deliveryClass = options.deliveryClass ?? (() => 'blind');
    this.store = createMemoryStore({ clock, ids, disk, deliveryClass });
  }

  get problemCodes(): readonly string[] {
    return this.problems.all().map((problem) => problem.code);
  }

  /** Lets everything that needs no time come to rest. */
  async settle(): Promise<void> {
    for (let round = 0; round < 25; round += 1) await continuations();
  }

  /** Lets virtual time pass, timer by timer. */
  async pass(ms: number): Promise<void> {
    const until = this.time.mono + ms;
    await this.settle();
    for (let at = this.time.nextAt(); at !== null && at <= until; at = this.time.nextAt()) {
      this.time.fireNext();
      await this.settle();
    }
    this.time.mono = until;
  }

  session(name: string, change: Partial<NewSession> = {}): Promise<SessionRow> {
    const fixed = {
      kind: 'interactive',
      workerType: 'kairos',
      parent: null,
      dir: '/w',
      mode: 'default',
      model: 'offline',
    } as const;
    return this.store.createSession({ ...fixed, name, ...change });
  }

  /** Somebody writes to a session. */
  async say(session: string, text = 'hello', change: Partial<NewWake> = {}): Promise<string> {
    this.#uuid += 1;
    const message = `uuid-${this.#uuid}`;
    const fixed = {
      kind: 'person',
      mode: 'next_step',
      origin: owner,
      route: viewersRoute,
      dedupeKey: message,
    } as const;
    await this.store.admitWake({ session, text, message, ...fixed, ...change });
    return message;
  }

  /** Brings a session to its first call: `facts.tool` asked for by the reply of its first step. */
  async firstCall(
    session: string,
    facts: CallFacts,
    change: Partial<NewWake> = {},
  ): Promise<{ step: string; call: string }> {
    await this.say(session, 'do it', change);
    const next = await this.store.nextStep(session, terms);
    if (next.kind !== 'request') throw new Error(`No step: ${next.kind}`);
    const call = `cal_${next.step.id}`;
    const part = { type: 'call', id: call, tool: facts.tool, input: facts.input } as const;
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, microUsd: 0 };
    const reply = { model: 'm', parts: [part], stop: 'calls' } as const;
    await this.store.recordReply({
      session,
      step: next.step.id,
      reply: { ...reply, parts: [...reply.parts] },
      usage,
      terms,
    });
    return { step: next.step.id, call };
  }

  /** A prompt about a command; its preview is the command. */
  async ask(
    session: string,
    command: string,
    change: { kind?: 'approval' | 'question'; lifeMs?: number; options?: readonly string[] } = {},
  ): Promise<{ prompt: string; code: string }> {
    const facts = commandFacts(command);
    const { step, call } = await this.firstCall(session, facts);
    const prompt = {
      kind: change.kind ?? 'approval',
      headline: `Bash: ${command}`.slice(0, 200),
      description: '',
      preview: command,
      options: (change.options ?? []).map((label) => ({ label })),
      multiple: false,
      rule: `Bash(${command})`,
      ruleSubject: { tool: 'Bash', subject: command },
      dir: '/w',
      lifeMs: change.lifeMs ?? 60_000,
    };
    const decision = { behavior: 'ask', by: 'mode default', rule: null } as const;
    const asked = await this.store.beginCall({
      session,
      step,
      call,
      facts,
      decision,
      digest: 'digest',
      plan: { do: 'ask', prompt },
      terms,
    });
    if (asked.kind !== 'asking') throw new Error(`Not asked: ${asked.kind}`);
    return { prompt: asked.prompt, code: asked.code };
  }

  /** A message that leaves the house by these routes. */
  async send(session: string, text: string, routes: readonly Route[]): Promise<void> {
    const facts: CallFacts = {
      ...commandFacts(''),
      tool: 'SendUserMessage',
      access: 'person',
      class: 'local',
    };
    const { step, call } = await this.firstCall(session, facts);
    const message = { text, status: 'normal', inReplyTo: null, routes } as const;
    const decision = { behavior: 'allow', by: 'talks only to the person', rule: null } as const;
    const plan = { do: 'send', message, result: { outcome: 'ok', output: 'Delivered.' } } as const;
    await this.store.beginCall({ session, step, call, facts, decision, digest: 'd', plan, terms });
    await this.store.interrupt(session, 'done');
  }

  /** Types of a session's events, in order. */
  async types(session: string): Promise<string[]> {
    return (await this.store.events(session, { after: 0, limit: 1000 })).map((event) => event.type);
  }
}

/** Facts of a shell command. */
export function commandFacts(command: string): CallFacts {
  return {
    tool: 'Bash',
    input: { command },
    class: 'blind',
    cwd: '/w',
    subject: command,
    access: 'command',
    paths: [],
    preimages: [],
    preview: command,
    description: '',
  };
}
