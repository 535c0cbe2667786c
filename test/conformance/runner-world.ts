import { sessionPolicy } from '../../electron/daemon/sessions/session-terms.ts';
import { defaultSettings } from '../../shared/domain/settings.ts';
import { createHash } from 'node:crypto';
import { KairosError } from '../../shared/base/errors.ts';
import type { CallResult } from '../../shared/domain/messages.ts';
import type { StoredEvent } from '../../shared/domain/events.ts';
import { selfOrigin, viewersRoute } from '../../shared/domain/origin-route.ts';
import type { RunEnd, Runner } from '../../shared/domain/runner.ts';
import type { LinkInput, LinkOutput, LinkVerb } from '../../shared/protocol/worker-link.ts';
import { createMemoryStore } from '../../electron/daemon/events/memory/memory-store.ts';
import type { Store, StepTerms } from '../../electron/daemon/events/port.ts';
import { offlineOnly } from '../../electron/daemon/sessions/model-source.ts';
import { leaseVerbs } from '../../electron/daemon/sessions/lease-verbs.ts';
import type { SessionPort, ToolPort } from '../../electron/worker/agent/ports.ts';
import { createTestClock, createTestIds } from '../store/support/clock-ids.ts';

/** Makes a runner for a session that is leased now; `world` may be used to keep what outlives it. */
export type MakeRunner = (tools: ToolPort, world: RunnerWorld) => Runner<SessionPort>;

/** What a worker's life can be cut short by: the verb whose question never reaches the daemon, or whose answer never comes back. */
export interface Cut {
  readonly verb: LinkVerb;
  readonly side: 'before' | 'after';
  readonly nth?: number;
}

const never = new AbortController().signal;
const terms: StepTerms = {
  reservation: { tokens: 0, microUsd: 0 },
  limits: { dayMicroUsd: null, sessionDayTokens: null },
  policy: 'test',
};

/** A store and the daemon's verbs in memory, with one session, and tools that note what they do. */
export class RunnerWorld {
  readonly clock = createTestClock();
  readonly store: Store;
  /** Commands that were executed, in order. */
  readonly executed: string[] = [];
  /** What a command gives back; may act on the world while it runs. */
  result: (command: string) => Promise<CallResult> | CallResult = (command) => ({
    outcome: 'ok',
    output: command,
  });
  session = '';
  readonly #make: MakeRunner;
  readonly #verbs;
  #messages = 0;

  constructor(make: MakeRunner) {
    this.#make = make;
    this.store = createMemoryStore({ clock: this.clock, ids: createTestIds() });
    this.#verbs = leaseVerbs({
      environment: () => Promise.resolve({}),
      store: this.store,
      clock: this.clock,
      sha256: (data) => createHash('sha256').update(data).digest('hex'),
      terms: async () => terms,
      limits: terms.limits,
      models: offlineOnly,
      policy: sessionPolicy(defaultSettings(), {
        home: '/home/none',
        scratch: '/home/none/scratch',
        words: [],
      }),
    });
  }

  async open(mode: 'default' | 'bypassPermissions' = 'bypassPermissions'): Promise<this> {
    const row = await this.store.createSession({
      name: null,
      kind: 'interactive',
      workerType: 'kairos',
      parent: null,
      dir: '/work-dir',
      mode,
      model: 'offline',
    });
    this.session = row.id;
    return this;
  }

  /** A person's message arrives. */
  async say(text: string): Promise<void> {
    this.#messages += 1;
    const message = `msg_${this.#messages}`;
    await this.store.admitWake({
      session: this.session,
      kind: 'person',
      mode: 'next_step',
      origin: selfOrigin,
      route: viewersRoute,
      dedupeKey: message,
      text,
      message,
    });
  }

  /** A worker takes the session and runs it; with `cut` it dies there and the daemon takes notice. */
  async run(
    options: { cut?: Cut; stop?: AbortSignal; interrupt?: AbortSignal } = {},
  ): Promise<RunEnd | 'died'> {
    const { cut, stop = never, interrupt = never } = options;
    const port = await this.#lease(interrupt, cut);
    const run = this.#make(this.#tools(), this).run(port, stop);
    const end = await Promise.race([run, port.died]);
    if (end === 'died') await this.store.workerLost(this.session, true);
    return end;
  }

  async events(type?: StoredEvent['type']): Promise<readonly StoredEvent[]> {
    const events = await this.store.events(this.session, { after: 0, limit: 1_000 });
    return type === undefined ? events : events.filter((event) => event.type === type);
  }

  /** Types of the log without those that say nothing about the runner. */
  async types(): Promise<string[]> {
    return (await this.events()).map((event) => event.type);
  }

  /** How each message of the person was settled, in order. */
  async settled(): Promise<(string | null)[]> {
    const states = [];
    for (let n = 1; n <= this.#messages; n += 1) {
      states.push((await this.store.message(`msg_${n}`))?.settledBy ?? null);
    }
    return states;
  }

  #tools(): ToolPort {
    return {
      prepare: async ({ tool, input }) => {
        const own = { tool, input, cwd: '/work-dir', paths: [], preimages: [], description: '' };
        if (tool !== 'Bash') {
          return {
            kind: 'ready',
            facts: { ...own, class: 'local', access: 'person', subject: '', preview: '' },
          };
        }
        const { command } = input as { command: string };
        if (command === 'bad') return { kind: 'bad', message: 'Bash: that is no command.' };
        const facts = {
          ...own,
          class: 'blind',
          access: 'command',
          subject: command,
          preview: command,
        } as const;
        return { kind: 'ready', facts };
      },
      execute: async ({ facts }) => {
        this.executed.push(facts.subject);
        return this.result(facts.subject);
      },
    };
  }

  async #lease(
    interrupt: AbortSignal,
    cut: Cut | undefined,
  ): Promise<SessionPort & { died: Promise<'died'> }> {
    const row = await this.store.session(this.session);
    if (!row) throw new Error('no session');
    const opaque = row.context === null ? null : await this.store.blob(row.context);
    const context = opaque === null ? null : Buffer.from(opaque).toString('base64');
    const { id: session, dir, model, frame, turn, seq, brief, compaction, memo } = row;
    const turnSeq = turn ? turn.seq - 1 : seq;
    const pinned = frame === null ? null : await this.store.blob(frame);
    const frameContent = pinned === null ? null : Buffer.from(pinned).toString();
    const lease = { session, dir, model, frame, context, turnSeq, frameContent, brief, compaction, memo };
    let die = (): void => undefined;
    const died = new Promise<'died'>((resolve) => {
      die = () => resolve('died');
    });
    const wire = { left: cut?.nth ?? 0, die };
    const ask = <Verb extends LinkVerb>(verb: Verb, input: LinkInput<Verb>) =>
      this.#ask(verb, input, cut, wire);
    return {
      lease,
      died,
      interrupt,
      ask,
      draft: () => undefined,
      activity: () => undefined,
      background: () => undefined,
      onChange: () => () => undefined,
    };
  }

  async #ask<Verb extends LinkVerb>(
    verb: Verb,
    input: LinkInput<Verb>,
    cut: Cut | undefined,
    wire: { left: number; die: () => void },
  ): Promise<LinkOutput<Verb>> {
    const here = cut?.verb === verb && wire.left-- === 0;
    const silence = new Promise<never>(() => undefined);
    if (here && cut.side === 'before') return (wire.die(), silence);
    // What crosses the wire is a copy.
    const output = structuredClone(await this.#verbs(this.session, verb, structuredClone(input)));
    if (here) return (wire.die(), silence);
    return output as LinkOutput<Verb>;
  }
}

/** Answers the one open prompt of the session. */
export async function answerPrompt(world: RunnerWorld, behavior: 'allow' | 'deny'): Promise<void> {
  const [prompt] = await world.store.prompts({ state: 'open', session: world.session, limit: 10 });
  if (!prompt) throw new KairosError('not_found', 'No prompt is open.');
  const verdict = behavior === 'allow' ? ({ behavior, scope: 'once' } as const) : ({ behavior } as const);
  const by = { surface: 'cli', principal: 'owner', at: world.clock.now() };
  await world.store.claimPrompt({ code: prompt.code, verdict, by });
}
