import { KairosError } from '../../../shared/base/errors.ts';
import type { Clock, Sha256 } from '../../../shared/base/ports.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';
import type { BudgetLimits } from '../../../shared/domain/budget.ts';
import { hiddenInSearch, type PolicyInput } from '../../../shared/domain/permissions/policy.ts';
import { mustBeShutIn } from '../../../shared/domain/permissions/shut-in.ts';
import type { EnvSection } from '../../../shared/domain/session-config.ts';
import {
  type BeginCallAnswer,
  type CallState,
  type Grant,
  type LinkInput,
  type LinkOutput,
  type LinkVerb,
  linkVerbs,
} from '../../../shared/protocol/worker-link.ts';
import { maskLiteralSecrets } from '../../node/mask-secrets.ts';
import type { NextStep, Store } from '../events/port.ts';
import type { EffectRow, SessionRow } from '../events/rows.ts';
import { callDigest, planCall } from './call-planner.ts';
import { readContext } from './context-reader.ts';
import type { FilePlaces } from './host-tools/host-input.ts';
import { owedMessages } from './host-tools/owed-messages.ts';
import { keepFile } from './host-tools/keep-file.ts';
import { isHostTool, planHostTool } from './host-tools/plan-host-tool.ts';
import { namedMessage } from './host-tools/send-message.ts';
import type { ModelSource } from './model-source.ts';
import type { GateHealth } from './gate-health.ts';
import { hookVerbs } from './hook-verbs.ts';
import { type Runs, type RunWatch, runWatch } from './run-watch.ts';
import { sideVerbs } from './side-verbs.ts';
import { searchTranscripts, type TranscriptPorts } from './transcript-search.ts';
import type { SessionPolicy, SessionTerms } from './session-terms.ts';
import { standingRules } from './standing-rules.ts';

/** What the verbs work with. */
export interface VerbPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly sha256: Sha256;
  readonly terms: SessionTerms;
  readonly limits: BudgetLimits;
  readonly models: Pick<ModelSource, 'choice' | 'refresh'>;
  readonly policy: SessionPolicy;
  /** Which guards (hooks) do not work; absent: nobody outside of a session is told. */
  readonly gates?: GateHealth;
  /** Looks through the history; absent or null: nothing can. */
  readonly search?: TranscriptPorts['search'];
  /** Is told what runs outside the sandbox; absent: nobody wants to know. */
  readonly runs?: RunWatch;
  /** Environment for tools with what the session's settings add; the first time it may take a while. */
  readonly environment: (own: EnvSection) => Promise<Readonly<Record<string, string>>>;
}

type Verbs = {
  readonly [Verb in LinkVerb]: (session: string, input: LinkInput<Verb>) => Promise<LinkOutput<Verb>>;
};

/** What a runner may ask about the session it leases, over the store. Faults: `stale` when the step or call moved on. */
export function leaseVerbs(
  ports: VerbPorts,
): (session: string, verb: LinkVerb, input: unknown) => Promise<unknown> {
  const verbs = makeVerbs(ports);
  return async (session, verb, input) => {
    const parsed = linkVerbs[verb].input.safeParse(input);
    if (!parsed.success)
      throw new KairosError('bad_input', `Malformed ${verb} from a worker.`, { cause: parsed.error });
    const run = verbs[verb] as (session: string, input: unknown) => Promise<unknown>;
    return run(session, parsed.data);
  };
}

function makeVerbs(ports: VerbPorts): Verbs {
  const { store, terms } = ports;
  const runs = runWatch(ports);
  return {
    nextStep: async (session, { known, contextTokens }) =>
      toGrant(store, session, await store.nextStep(session, await terms(session, contextTokens)), known),
    context: async (session, { after, limit }) => readContext(store, session, after, limit),
    pinFrame: async (session, { content }) => ({ frame: await store.pinFrame(session, content) }),
    recordReply: async (session, { step, reply, usage, known, context, contextTokens, goOn }) => {
      const opaque = context === undefined ? {} : { context: Buffer.from(context, 'base64') };
      const next = await store.recordReply({
        session,
        step,
        reply,
        usage,
        terms: await terms(session, contextTokens),
        ...opaque,
        ...(goOn === undefined ? {} : { goOn }),
      });
      return toGrant(store, session, next, known);
    },
    beginCall: async (session, input) => {
      if (input.facts.hook !== undefined) await runs.hookRan(session);
      const answer = await beginCall(ports, session, input);
      if (answer.kind === 'granted') await runs.callBegan(session, input);
      return answer;
    },
    endCall: async (session, { call, result, known, contextTokens }) => {
      await runs.ended({ session, call });
      const next = await store.endCall({
        session,
        call,
        result,
        terms: await terms(session, contextTokens),
      });
      return { next: next === null ? null : await toGrant(store, session, next, known) };
    },
    ...sideVerbs(ports),
    ...hookVerbs(ports),
    environment: async (session) => {
      const row = await foundSession(store, session);
      const { env } = await ports.policy.config(row);
      return { variables: { ...(await ports.environment(env)) } };
    },
    sandbox: async (session) => (await ports.policy.config(await foundSession(store, session))).sandbox,
    putBlob: async (_session, { base64 }) => ({ hash: await store.putBlob(Buffer.from(base64, 'base64')) }),
    blob: async (_session, { hash }) => {
      const bytes = await store.blob(hash);
      return { base64: bytes === null ? null : Buffer.from(bytes).toString('base64') };
    },
    putFile: (session, { path }) => keepFile({ store, self: ports.policy.self }, session, path),
    searchTranscripts: (session, wanted) =>
      searchTranscripts({ store, search: ports.search ?? null }, session, wanted),
    ...besideSteps(store, runs),
    park: async (session, { code, reason, unspent }) => {
      await store.park(session, code, reason, unspent);
      return {};
    },
  };
}

type BesideSteps = 'compact' | 'memo' | 'note' | 'failTurn' | 'taskBegan' | 'taskEnded';

/** What is stored beside the steps: how the model reads the session, the end of a turn that goes nowhere, background tasks. */
function besideSteps(store: Store, runs: Runs): Pick<Verbs, BesideSteps> {
  return {
    compact: async (session, input) => ({ seq: await store.compact(session, input) }),
    memo: async (session, input) => {
      await store.memo(session, input);
      return {};
    },
    note: async (session, input) => {
      await store.noteContext(session, input);
      return {};
    },
    taskBegan: async (session, task) => {
      const title = oneLine(maskLiteralSecrets(task.title), 200);
      const running = await store.beginTask(session, { ...task, title });
      await runs.taskBegan(session, task);
      return { running };
    },
    taskEnded: async (session, { task, end }) => {
      await runs.ended({ session, task });
      return { running: await store.endTask(session, task, end) };
    },
    failTurn: async (session, { turn, reason }) => {
      await store.failTurn(session, turn, reason);
      return { kind: 'turn_ended', turn };
    },
  };
}

async function beginCall(
  ports: VerbPorts,
  session: string,
  input: LinkInput<'beginCall'>,
): Promise<BeginCallAnswer> {
  const { store, sha256 } = ports;
  const [row, effect] = await Promise.all([store.session(session), store.effect(input.call)]);
  if (!row || effect?.session !== session)
    throw new KairosError('stale', `Call ${input.call} is not of this session.`);
  assertSameCall(effect, input);
  const { policy } = ports;
  const config = await policy.config(row);
  const stored = await store.rules(session);
  const { rules, mode, keepsRules } = standingRules(row, config, stored);
  const digest = callDigest(input.facts, mode, sha256);
  const prompt = effect.prompt === null ? null : await store.prompt(effect.prompt);
  const places: FilePlaces = {
    dir: row.dir,
    ownScratch: `${policy.self.scratch}/${session}`,
    rules,
    self: policy.self,
  };
  const planned = isHostTool(input.facts)
    ? planHostTool({
        facts: input.facts,
        prompt,
        owed: await owedMessages(store, row, namedMessage(input.facts.input)),
        now: ports.clock.now(),
        promptLifeMs: policy.promptLifeMs,
        mode,
        places,
      })
    : planCall({
        facts: input.facts,
        digest,
        mode,
        ...places,
        prompt,
        keepsRules,
        sandboxAutoAllow: config.sandbox.autoAllow,
        ...(config.hookFiles === undefined ? {} : { hookFiles: config.hookFiles }),
        sandboxRequired: mustBeShutIn(input.facts, config.sandbox, row.dir),
        promptLifeMs: policy.promptLifeMs,
      });
  const { step, call, facts, known } = input;
  const basis = { mode: row.mode, rules: stored.map((rule) => rule.id), prompt: prompt?.state ?? null };
  const terms = await ports.terms(session, input.contextTokens);
  const answer = await store.beginCall({ session, step, call, facts, digest, terms, basis, ...planned });
  if (answer.kind === 'granted') return { ...answer, ...hiddenOf({ facts, mode, ...places }) };
  if (answer.kind !== 'ended') return answer;
  const next = answer.next === null ? null : await toGrant(store, session, answer.next, known);
  return { kind: 'ended', result: answer.result, next };
}

async function foundSession(store: Store, id: string): Promise<SessionRow> {
  const row = await store.session(id);
  if (!row) throw new KairosError('stale', `There is no session ${id}.`);
  return row;
}

/** What a search must leave out; nothing to say about other calls. */
function hiddenOf(input: PolicyInput): { readonly hidden?: string[][] } {
  const hidden = hiddenInSearch(input).map((patterns) => [...patterns]);
  return hidden.length === 0 ? {} : { hidden };
}

/** The worker gathers facts, it does not choose the tool: that stands in the stored reply. */
function assertSameCall(effect: EffectRow, input: LinkInput<'beginCall'>): void {
  if (effect.tool !== input.facts.tool) {
    throw new KairosError(
      'bad_input',
      `Call ${input.call} is one of ${effect.tool}, not of ${input.facts.tool}.`,
    );
  }
}

/** What the runner reads of a store's answer; a request comes with the context it does not know yet. */
async function toGrant(store: Store, session: string, next: NextStep, known: number): Promise<Grant> {
  if (next.kind === 'request') {
    const page = await readContext(store, session, known);
    const row = await store.session(session);
    return { ...next, messages: page.messages, more: page.more, ...(row === null ? {} : { mode: row.mode }) };
  }
  if (next.kind === 'calls') return { ...next, calls: next.calls.map(callState) };
  return next;
}

function callState(effect: EffectRow): CallState {
  const { id, tool, input, result } = effect;
  return { id, tool: tool ?? '', input, state: result === null ? 'open' : 'ended', result };
}
