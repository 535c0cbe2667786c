import { canonicalJson } from '../../../shared/base/json.ts';
import { sampleFrame } from '../../support/sample-frame.ts';
import { KairosError } from '../../../shared/base/errors.ts';
import type { CallResult, Reply } from '../../../shared/domain/messages.ts';
import type { OpenStep } from '../../../shared/domain/steps.ts';
import type {
  CallState,
  Grant,
  LinkInput,
  LinkOutput,
  LinkVerb,
} from '../../../shared/protocol/worker-link.ts';
import type { DraftText, SessionPort } from '../../../electron/worker/agent/ports.ts';

/** One expected question with its answer; a fault is given as `{ fault: code }`. */
export interface Turn {
  readonly verb: LinkVerb;
  readonly answer: unknown;
}

/** A daemon that answers in a fixed order and keeps what it was asked. A question out of order is a fault. */
export class ScriptedPort implements SessionPort {
  readonly asked: { readonly verb: LinkVerb; readonly input: unknown }[] = [];
  readonly drafts: DraftText[] = [];
  readonly doing: (string | null)[] = [];
  readonly interrupter = new AbortController();
  readonly interrupt = this.interrupter.signal;
  readonly lease;
  readonly #turns: Turn[];

  constructor(turns: readonly Turn[], lease: Partial<SessionPort['lease']> = {}) {
    this.#turns = [...turns];
    this.lease = {
      session: 'ses_1',
      dir: '/work-dir',
      model: 'offline',
      frame: 'frame_1',
      context: null,
      turnSeq: 0,
      frameContent: canonicalJson(sampleFrame('the frame')),
      brief: true,
      compaction: null,
      memo: null,
      ...lease,
    };
  }

  background(): void {}

  get left(): number {
    return this.#turns.length;
  }

  async ask<Verb extends LinkVerb>(verb: Verb, input: LinkInput<Verb>): Promise<LinkOutput<Verb>> {
    this.asked.push({ verb, input: structuredClone(input) });
    const turn = this.#turns.shift();
    if (turn?.verb !== verb) {
      throw new KairosError('script', `Asked ${verb}, expected ${turn?.verb ?? 'nothing'}.`);
    }
    const { answer } = turn;
    if (typeof answer === 'object' && answer !== null && 'fault' in answer) {
      throw new KairosError(String(answer.fault), 'scripted fault');
    }
    return answer as LinkOutput<Verb>;
  }

  draft(text: DraftText): void {
    this.drafts.push(text);
  }

  activity(doing: string | null): void {
    this.doing.push(doing);
  }

  onChange(): () => void {
    return () => undefined;
  }
}

/** The open step `stp_<n>` of turn `trn_1`. */
export function step(n: number, calls: readonly string[] = []): OpenStep {
  return {
    id: `stp_${n}`,
    turn: 'trn_1',
    n,
    state: calls.length > 0 ? 'replied' : 'began',
    frame: 'frame_1',
    reservation: { tokens: 0, microUsd: 0 },
    wakes: [],
    calls: [...calls],
  };
}

type Messages = Extract<Grant, { kind: 'request' }>['messages'];

/** A grant to make the request of step `n` with these new messages. */
export function request(n: number, messages: Messages, more = false): Grant {
  return { kind: 'request', step: step(n), repeated: false, messages, more };
}

/** A person's message. */
export function said(seq: number, text: string): Messages[number] {
  return { role: 'user', seq, ref: `m${seq}`, text, turn: 'trn_1' };
}

/** A stored reply that asked for these calls. */
export function replyOf(
  ...calls: readonly { readonly id: string; readonly tool: string; readonly input: unknown }[]
): Reply {
  return {
    model: 'test',
    parts: calls.map((call) => ({ type: 'call', ...call })),
    stop: calls.length > 0 ? 'calls' : 'end',
  };
}

/** A grant to work through the calls of step `n`; those with a result have ended. */
export function callsOf(n: number, reply: Reply, results: Readonly<Record<string, CallResult>> = {}): Grant {
  const parts = reply.parts.flatMap((part) => (part.type === 'call' ? [part] : []));
  const calls = parts.map(({ id, tool, input }): CallState => {
    const result = results[id] ?? null;
    return { id, tool, input, state: result === null ? 'open' : 'ended', result };
  });
  return {
    kind: 'calls',
    step: step(
      n,
      calls.map((call) => call.id),
    ),
    reply,
    calls,
  };
}
