import { canonicalJson } from '../../shared/base/json.ts';
import { errorCode } from '../../shared/base/errors.ts';
import type { StopSignal } from '../../shared/base/ports.ts';
import type { ContextMessage, Reply } from '../../shared/domain/messages.ts';
import { noUsage } from '../../shared/domain/messages.ts';
import type { RunEnd, Runner } from '../../shared/domain/runner.ts';
import type { Grant } from '../../shared/protocol/worker-link.ts';
import { grantedBy } from '../../electron/worker/agent/granted.ts';
import type { OpenCall, SessionPort, ToolPort } from '../../electron/worker/agent/ports.ts';
import { refusedFacts } from '../../electron/worker/agent/refused-call.ts';

/** What a script sees: the messages of the step's turn as the runner's own context holds them. */
export interface ScriptInput {
  readonly step: string;
  readonly messages: readonly ContextMessage[];
}

/** Contexts (base64) that may be stored per session: the one acknowledged, or one sent whose answer never came. Outlives runners. */
export type ContextVault = Map<string, ReadonlySet<string | null>>;

export interface ScriptedRunnerParts {
  readonly tools: ToolPort;
  readonly vault: ContextVault;
  /** Must depend on its input alone, so that a repeated request gives the same reply. */
  readonly reply: (input: ScriptInput) => Reply;
}

type RequestGrant = Extract<Grant, { kind: 'request' }>;
type CallsGrant = Extract<Grant, { kind: 'calls' }>;
type Line = { readonly m: ContextMessage } | { readonly r: { step: string; turn: string; reply: Reply } };

/**
 * The second runner behind the interface: keeps its context as a byte string of its own, hands it over with each reply, and
 * throws when a lease brings another one than it stored, or a stored reply differs from the one it made.
 */
export function createScriptedRunner(parts: ScriptedRunnerParts): Runner<SessionPort> {
  let runner: ScriptedRun | null = null;
  return {
    async run(port, signal) {
      runner ??= new ScriptedRun(parts, port);
      return runner.run(signal);
    },
  };
}

class ScriptedRun {
  readonly #parts: ScriptedRunnerParts;
  readonly #port: SessionPort;
  #context: string;
  #known = 0;
  #framed: boolean;

  constructor(parts: ScriptedRunnerParts, port: SessionPort) {
    const { session, context, frame } = port.lease;
    const possible = parts.vault.get(session) ?? new Set([null]);
    if (!possible.has(context))
      throw new Error(`Session ${session} came back with a context that was never stored.`);
    parts.vault.set(session, new Set([context]));
    this.#parts = parts;
    this.#port = port;
    this.#context = context === null ? '' : Buffer.from(context, 'base64').toString();
    this.#framed = frame !== null;
    for (const line of this.#lines()) if ('m' in line) this.#known = Math.max(this.#known, line.m.seq);
  }

  async run(signal: StopSignal): Promise<RunEnd> {
    if (!this.#framed) await this.#port.ask('pinFrame', { content: 'scripted frame' });
    this.#framed = true;
    let grant: Grant | null = null;
    while (!signal.aborted && !this.#port.interrupt.aborted) {
      const asked = grant === null;
      try {
        if (grant === null) grant = await this.#port.ask('nextStep', { known: this.#known });
        else if (grant.kind === 'request') grant = await this.#request(grant);
        else if (grant.kind === 'calls') {
          const next: Grant | 'waiting' | null = await this.#calls(grant, signal);
          if (next === 'waiting') return { why: 'waiting' };
          grant = next;
        } else if (grant.kind === 'turn_ended') grant = null;
        else return grant.kind === 'refused' ? { why: 'refused', reason: grant.reason } : { why: grant.kind };
      } catch (error) {
        if (errorCode(error) !== 'stale') throw error;
        if (asked) return { why: 'asked' };
        grant = null;
      }
    }
    return { why: 'asked' };
  }

  async #request({ step, messages, more }: RequestGrant): Promise<Grant> {
    this.#learn(messages);
    for (let rest = more; rest; ) {
      const page = await this.#port.ask('context', { after: this.#known, limit: 100 });
      this.#learn(page.messages);
      rest = page.more && page.messages.length > 0;
    }
    const reply = this.#parts.reply({ step: step.id, messages: this.#messages(step.turn) });
    const context = this.#context + line({ r: { step: step.id, turn: step.turn, reply } });
    const encoded = Buffer.from(context).toString('base64');
    const { session } = this.#port.lease;
    const before = this.#parts.vault.get(session) ?? new Set();
    this.#parts.vault.set(session, new Set([...before, encoded]));
    const sent = { step: step.id, reply, usage: noUsage, known: this.#known, context: encoded };
    const next = await this.#port.ask('recordReply', sent);
    this.#parts.vault.set(session, new Set([encoded]));
    this.#context = context;
    return next;
  }

  async #calls(grant: CallsGrant, signal: StopSignal): Promise<Grant | 'waiting' | null> {
    this.#checkReply(grant);
    for (const call of grant.calls) {
      if (call.state === 'ended') continue;
      if (signal.aborted) return null;
      const next = await this.#call(grant.step.id, call);
      if (next !== null) return next;
    }
    return null;
  }

  async #call(step: string, call: OpenCall): Promise<Grant | 'waiting' | null> {
    const { tools } = this.#parts;
    const port = this.#port;
    const prepared = await tools.prepare(call);
    const facts =
      prepared.kind === 'ready' ? prepared.facts : refusedFacts(call, port.lease.dir, prepared.message);
    const answer = await port.ask('beginCall', { step, call: call.id, facts, known: this.#known });
    if (answer.kind === 'ended') return answer.next;
    if (answer.kind !== 'granted') return 'waiting';
    const result =
      prepared.kind === 'ready'
        ? await tools.execute(grantedBy(answer, call, facts), port.interrupt)
        : ({ outcome: 'error', output: prepared.message } as const);
    return (await port.ask('endCall', { call: call.id, result, known: this.#known })).next;
  }

  #learn(messages: RequestGrant['messages']): void {
    for (const message of messages) {
      this.#known = Math.max(this.#known, message.seq);
      // Its own replies stand in the context since it made them.
      if (message.role === 'user') this.#context += line({ m: { ...message, ref: message.ref } });
      else if (message.role === 'result') this.#context += line({ m: message });
    }
  }

  #messages(turn: string): ContextMessage[] {
    return this.#lines()
      .map((each): ContextMessage => ('m' in each ? each.m : { role: 'assistant', seq: 0, ...each.r }))
      .filter((message) => message.turn === turn);
  }

  #checkReply({ step, reply }: CallsGrant): void {
    const mine = this.#lines().find((each) => 'r' in each && each.r.step === step.id);
    if (mine === undefined || !('r' in mine) || canonicalJson(mine.r.reply) !== canonicalJson(reply)) {
      throw new Error(`The stored reply of step ${step.id} is not the one that stands in the context.`);
    }
  }

  #lines(): Line[] {
    return this.#context
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text) as Line);
  }
}

function line(content: Line): string {
  return `${canonicalJson(content)}\n`;
}
