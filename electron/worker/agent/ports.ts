import { KairosError } from '../../../shared/base/errors.ts';
import type { StopSignal } from '../../../shared/base/ports.ts';
import type { CallResult, ContextMessage, Reply, Usage } from '../../../shared/domain/messages.ts';
import type { Frame } from '../../../shared/domain/frames.ts';
import type { ModelChoice } from '../../../shared/domain/models.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import type { SearchQuery, SearchResult } from '../../../shared/domain/web-search.ts';
import type { ChangeSignal } from '../../../shared/domain/runner.ts';
import type { Lease, LinkInput, LinkOutput, LinkVerb } from '../../../shared/protocol/worker-link.ts';
import type { Granted } from './granted.ts';

/** What a runner knows of the session it runs. */
export type SessionFacts = Pick<
  Lease,
  | 'session'
  | 'dir'
  | 'model'
  | 'frame'
  | 'context'
  | 'turnSeq'
  | 'frameContent'
  | 'brief'
  | 'compaction'
  | 'memo'
  | 'loop'
>;

/** Makes the frame of a session, and tells when the files behind it changed. */
export interface FramePort {
  /** True for a frame of this build, the session's model and its brief mode. */
  fits(frame: Frame): boolean;
  make(): Promise<Frame>;
  /** What the model is to be told when the instruction files differ from those of digest `known`; null: they do not. */
  news(known: string): Promise<{ readonly digest: string; readonly text: string } | null>;
}

/** A piece of the reply that is being made, in order within its part; losing one is harmless. */
export interface DraftText {
  readonly step: string;
  readonly part: number;
  readonly kind: 'text' | 'thinking' | 'call';
  readonly text: string;
  /** The request began anew (a retry, another model): what was sent of this step before is void. */
  readonly restart?: boolean;
}

/** The one session a runner works for, as the daemon lets it be seen. */
export interface SessionPort extends ChangeSignal {
  readonly lease: SessionFacts;
  /** One verb at a time. Rejects with KairosError: `stale` = drop the work, `too_large` = more than may be handed over, else a fault. */
  ask<Verb extends LinkVerb>(verb: Verb, input: LinkInput<Verb>): Promise<LinkOutput<Verb>>;
  draft(text: DraftText): void;
  /** What the session is doing now, for people; null = nothing. */
  activity(doing: string | null): void;
  /** How many background tasks it has, for people. */
  background(count: number): void;
  /** Fires when running requests and calls must be ended at once; the signal given to `run` only asks for no more steps. */
  readonly interrupt: StopSignal;
}

/** One model request. `step` makes ids of the reply's calls reproducible; `repeated`: the identical request went out before. */
export interface ModelRequest {
  readonly step: string;
  readonly repeated: boolean;
  readonly frame: Frame;
  readonly messages: readonly ContextMessage[];
  /** Content of a stored picture; null when it is gone. */
  readonly picture: (hash: string) => Promise<Uint8Array | null>;
  readonly signal: StopSignal;
  readonly onDraft: (draft: Omit<DraftText, 'step'>) => void;
  /** Why the model is asked again later, for people, at the beginning of each wait; null at its end. */
  readonly onWait?: (text: string | null) => void;
}

/** A request beside the conversation: plain text in, plain text out, no tools. */
export interface SideRequest {
  readonly system: string;
  readonly text: string;
  readonly maxOutputTokens: number;
  readonly signal: StopSignal;
}

/** A search of the web by the provider's own means. */
export interface SearchRequest extends SearchQuery {
  readonly maxOutputTokens: number;
  readonly signal: StopSignal;
}

/** Why a model did not answer. `unspent`: it says that it did no work for any of the requests, so that nothing was spent. */
export class ModelError extends KairosError {
  readonly unspent: boolean;

  constructor(code: string, message: string, options: { readonly next?: string; readonly unspent: boolean }) {
    super(code, message, options.next === undefined ? {} : { next: options.next });
    this.unspent = options.unspent;
  }
}

/** A model as the loop uses it. `request` rejects when the model cannot answer; the session is then parked. */
export interface ModelPort {
  /** Context that a request needs: the running turn or the whole conversation. */
  readonly contextNeed: 'turn' | 'all';
  /** Equal calls in a row that are run; the next one is answered with an error. null: the caller means it (a person's own lines). */
  readonly repeatLimit: number | null;
  /** Why this model cannot be used at all; checked before a step is begun. */
  readonly problem: { readonly code: string; readonly reason: string } | null;
  /** The first model of the lease: what fits into a request. */
  readonly limits: Pick<ModelChoice, 'ref' | 'contextTokens' | 'maxOutputTokens'>;
  request(input: ModelRequest): Promise<{ readonly reply: Reply; readonly usage: Usage }>;
  /** Writes a summary or note; null: this model cannot, the model-free way is taken. */
  readonly write: ((input: SideRequest) => Promise<{ readonly text: string; readonly usage: Usage }>) | null;
  /** Searches the web; absent or null: its provider offers none. */
  readonly search?:
    | ((
        input: SearchRequest,
      ) => Promise<{ readonly results: readonly SearchResult[]; readonly usage: Usage }>)
    | null;
}

/** A call of the stored reply that has no result yet. */
export interface OpenCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
}

/** Facts of a call that may be decided on, or one sentence for the model about why it cannot run. */
export type Prepared =
  | { readonly kind: 'ready'; readonly facts: CallFacts }
  | { readonly kind: 'bad'; readonly message: string };

/** The tools of one session. */
export interface ToolPort {
  /** Looks, changes nothing. */
  prepare(call: OpenCall): Promise<Prepared>;
  /** Does it; needs the stored decision. Ends early with outcome `interrupted` when `signal` fires. */
  execute(granted: Granted, signal: StopSignal): Promise<CallResult>;
}
