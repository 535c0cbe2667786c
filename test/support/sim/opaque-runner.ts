import type { SessionPort, ToolPort } from '../../../electron/worker/agent/ports.ts';
import { grantedBy } from '../../../electron/worker/agent/granted.ts';
import { errorCode } from '../../../shared/base/errors.ts';
import { type ContextMessage, noUsage } from '../../../shared/domain/messages.ts';
import type { RunEnd, Runner } from '../../../shared/domain/runner.ts';
import type { CallState, Grant, Lease } from '../../../shared/protocol/worker-link.ts';
import { wildReply } from './wild-model.ts';
import type { WorkerPlace } from './worker-place.ts';

/** What the runner keeps as its own: nobody else can read it. */
interface Own {
  readonly known: number;
  readonly messages: readonly ContextMessage[];
}

/** A runner as an external agent would be: its context is a stored blob, it is told only what is new since then. */
export function opaqueRunner(place: WorkerPlace, lease: Lease, tools: ToolPort): Runner<SessionPort> {
  return { run: (port, signal) => new OpaqueRun(place, port, tools, read(lease.context)).run(signal) };
}

function read(context: string | null): Own {
  if (context === null) return { known: 0, messages: [] };
  return JSON.parse(Buffer.from(context, 'base64').toString('utf8')) as Own;
}

class OpaqueRun {
  readonly #place: WorkerPlace;
  readonly #port: SessionPort;
  readonly #tools: ToolPort;
  #own: Own;

  constructor(place: WorkerPlace, port: SessionPort, tools: ToolPort, own: Own) {
    this.#place = place;
    this.#port = port;
    this.#tools = tools;
    this.#own = own;
  }

  async run(signal: { readonly aborted: boolean }): Promise<RunEnd> {
    let grant: Grant | null = null;
    let stale = 0;
    while (!signal.aborted && !this.#port.interrupt.aborted) {
      try {
        grant ??= await this.#port.ask('nextStep', { known: this.#own.known });
        if (grant.kind === 'idle' || grant.kind === 'waiting') return { why: grant.kind };
        if (grant.kind === 'refused') return { why: 'refused', reason: grant.reason };
        const next: Grant | 'wait' | null = await this.#follow(grant, signal);
        if (next === 'wait') return { why: 'waiting' };
        grant = next;
      } catch (error) {
        if (errorCode(error) !== 'stale' || stale > 20) throw error;
        stale += 1;
        grant = null;
      }
    }
    return { why: 'asked' };
  }

  async #follow(grant: Grant, signal: { readonly aborted: boolean }): Promise<Grant | 'wait' | null> {
    if (grant.kind === 'request') return this.#request(grant);
    if (grant.kind !== 'calls') return null;
    for (const call of grant.calls) {
      if (call.state === 'ended') continue;
      if (signal.aborted) return null;
      const next = await this.#call(grant.step.id, call);
      if (next !== null) return next;
    }
    return null;
  }

  async #request(grant: Extract<Grant, { kind: 'request' }>): Promise<Grant> {
    const { step, repeated } = grant;
    const messages = [...this.#own.messages, ...(await this.#news(grant))];
    const { session, frame } = this.#port.lease;
    this.#place.ledgers.requests.push({ session, step: step.id, repeated, need: 'all', frame: frame ?? '', messages: structuredClone(messages) });
    await this.#place.point('model.before');
    const reply = wildReply(step.id, messages);
    await this.#place.point('model.after');
    const own: Own = { known: messages.at(-1)?.seq ?? 0, messages };
    const context = Buffer.from(JSON.stringify(own), 'utf8').toString('base64');
    const next = await this.#port.ask('recordReply', { step: step.id, reply, usage: noUsage, known: own.known, context });
    this.#own = own;
    return next;
  }

  /** What was said since the context was stored, all pages of it. */
  async #news(grant: Extract<Grant, { kind: 'request' }>): Promise<ContextMessage[]> {
    const news = grant.messages as ContextMessage[];
    let more = grant.more;
    while (more) {
      const after = news.at(-1)?.seq ?? this.#own.known;
      const page = await this.#port.ask('context', { after, limit: 50 });
      news.push(...(page.messages as ContextMessage[]));
      more = page.more && page.messages.length > 0;
    }
    return news;
  }

  async #call(step: string, call: CallState): Promise<Grant | 'wait' | null> {
    const prepared = await this.#tools.prepare(call);
    const known = this.#own.known;
    const facts = prepared.kind === 'ready' ? prepared.facts : refused(call, prepared.message);
    const answer = await this.#port.ask('beginCall', { step, call: call.id, facts, known });
    if (answer.kind === 'asking' || answer.kind === 'sleeping') return 'wait';
    if (answer.kind === 'ended') return answer.next;
    const result =
      prepared.kind === 'bad'
        ? { outcome: 'error' as const, output: prepared.message }
        : await this.#tools.execute(grantedBy(answer, call, facts), this.#port.interrupt);
    return (await this.#port.ask('endCall', { call: call.id, result, known })).next;
  }
}

function refused(call: CallState, message: string): Parameters<typeof grantedBy>[2] {
  return {
    tool: call.tool, input: call.input ?? null, class: 'pure', cwd: '/w', subject: '', access: 'person',
    paths: [], preimages: [], preview: message, description: '',
  };
}
