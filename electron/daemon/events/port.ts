import type { Attachment, LostAttachment } from '../../../shared/domain/attachments.ts';
import type { BudgetLimits, Reservation } from '../../../shared/domain/budget.ts';
import type { EventBody, StoredEvent } from '../../../shared/domain/events.ts';
import type { CallResult, Reply, Usage } from '../../../shared/domain/messages.ts';
import type { Origin, Route } from '../../../shared/domain/origin-route.ts';
import type { CallFacts, Decision } from '../../../shared/domain/permissions/call-facts.ts';
import type { AnsweredBy, PromptView, Verdict, VerdictOutcome } from '../../../shared/domain/prompts.ts';
import type { PermissionMode, SessionKind, WorkerType } from '../../../shared/domain/sessions.ts';
import type { OpenStep } from '../../../shared/domain/steps.ts';
import type { Todo } from '../../../shared/domain/todos.ts';
import type { WakeKind, WakeMode } from '../../../shared/domain/wakes.ts';
import type { DeviceVerbs } from './device-port.ts';
import type { EffectRow, OfferRow, PromptRow, RuleRow, SessionRow, WakeRow } from './rows.ts';
import type { TaskVerbs } from './task-port.ts';
import type { TrustVerbs } from './trust-port.ts';
import type { UsageStore } from './usage-port.ts';

/** What a new session is made with; `name` null = none, `dir` a real absolute path. */
export interface NewSession {
  readonly name: string | null;
  readonly kind: SessionKind;
  readonly workerType: WorkerType;
  readonly parent: string | null;
  readonly dir: string;
  readonly mode: PermissionMode;
  readonly model: string;
  /** All that people read goes through SendUserMessage; absent: not. */
  readonly brief?: boolean;
  /** Rules given at the command line, and whether its shells are shut in; absent: none, as the settings say. */
  readonly rules?: SessionRow['rules'];
  readonly sandbox?: SessionRow['sandbox'];
}

/** A reason to run a session, before it is stored. */
export interface NewWake {
  readonly session: string;
  readonly kind: WakeKind;
  readonly mode: WakeMode;
  readonly origin: Origin;
  readonly route: Route;
  readonly dedupeKey: string;
  /** Wakes that carry text: the text (<= 256 KB) and the message's id (the client's UUID or ours). */
  readonly text?: string;
  readonly message?: string;
  readonly call?: string;
  /** Wall ms; default now. */
  readonly availableAt?: number;
}

/** `duplicate`: the dedupe key was stored before; the row is the first one's and nothing changed. */
export interface Admission {
  readonly wake: WakeRow;
  readonly duplicate: boolean;
}

/** A background task before it is started; `call`: the call that begins it. */
export interface NewTask {
  readonly task: string;
  readonly call: string;
  readonly title: string;
  readonly output: string;
}

/** What a new step needs to know; fixed per session and settings by the daemon. */
export interface StepTerms {
  readonly reservation: Reservation;
  readonly limits: BudgetLimits;
  /** Version text of policy and rules. */
  readonly policy: string;
  /** A turn that asks for a step more than this many ends as failed; absent: no limit. */
  readonly maxSteps?: number;
  /** Of one reply this many calls are run, the others end with an error at once; absent: no limit. */
  readonly maxCalls?: number;
  /** Brief mode holds now; absent: as the session's row says. */
  readonly brief?: boolean;
}

/** What a runner has to do next for a session. */
export type NextStep =
  /** Make the model request of this step; `repeated` after a crash: the identical request again. */
  | { readonly kind: 'request'; readonly step: OpenStep; readonly repeated: boolean }
  /** The reply is stored; work through the calls that have not ended, in order. */
  | {
      readonly kind: 'calls';
      readonly step: OpenStep;
      readonly reply: Reply;
      readonly calls: readonly EffectRow[];
    }
  /** A turn just ended; ask again for the next one. */
  | { readonly kind: 'turn_ended'; readonly turn: string }
  /** A call waits for a person or an alarm; nothing to do until a wake. */
  | { readonly kind: 'waiting'; readonly call: string }
  | { readonly kind: 'idle' }
  | { readonly kind: 'refused'; readonly why: 'paused' | 'parked' | 'budget'; readonly reason: string };

/** What a person is asked, before it has an id and a code; `lifeMs` from now until it counts as denied. */
export interface NewPrompt {
  readonly kind: PromptView['kind'];
  readonly headline: string;
  readonly description: string;
  readonly preview: string;
  readonly options: PromptView['options'];
  readonly multiple: boolean;
  readonly rule: string | null;
  readonly risks?: readonly string[];
  readonly reason?: string;
  readonly ruleSubject: PromptRow['ruleSubject'];
  readonly dir: string;
  readonly lifeMs: number;
}

/** A message to people, before it is stored. */
export interface OutMessage {
  readonly text: string;
  readonly status: 'normal' | 'proactive';
  readonly inReplyTo: string | null;
  /** Where it goes; the viewers' route needs no delivery. */
  readonly routes: readonly Route[];
  /** Stored blobs that go with it, and files that could not. */
  readonly attachments?: readonly Attachment[];
  readonly lost?: readonly LostAttachment[];
}

/** What the daemon decided to do with a call, stored with the decision in one commit. */
export type CallPlan =
  | { readonly do: 'grant' }
  | { readonly do: 'ask'; readonly prompt: NewPrompt }
  /** Denied, answered, or done by the daemon without an effect: ends with this result. */
  | { readonly do: 'end'; readonly result: CallResult }
  | { readonly do: 'send'; readonly message: OutMessage; readonly result: CallResult }
  /** The model has nothing to say to these messages (wake ids): they count as handled, nobody is told. */
  | { readonly do: 'silence'; readonly wakes: readonly string[]; readonly result: CallResult }
  /** The model's own list, replaced in the commit that ends the call. */
  | { readonly do: 'todos'; readonly todos: readonly Todo[]; readonly result: CallResult }
  | { readonly do: 'sleep'; readonly until: number };

/** What a person may have changed while a call was decided on: mode, stored rules (ids), the state of the call's prompt. */
export interface CallBasis {
  readonly mode: PermissionMode;
  readonly rules: readonly string[];
  readonly prompt: PromptRow['state'] | null;
}

/** A decided call: what is stored before anything of it runs. */
export interface BeginCall {
  readonly session: string;
  readonly step: string;
  readonly call: string;
  readonly facts: CallFacts;
  readonly decision: Decision;
  readonly digest: string;
  readonly plan: CallPlan;
  readonly terms: StepTerms;
  /** What the plan follows from; when it is no longer so, nothing is stored and the answer is `stale`. */
  readonly basis?: CallBasis;
}

/** What became of a call that was to begin. */
export type CallAnswer =
  | { readonly kind: 'granted' }
  | { readonly kind: 'asking'; readonly code: string; readonly prompt: string }
  | { readonly kind: 'sleeping'; readonly until: number }
  /** Ended in this commit; `next` is set when it was the step's last call. */
  | { readonly kind: 'ended'; readonly result: CallResult; readonly next: NextStep | null };

/** A verdict on an open prompt; `code` may be its id too. */
export interface ClaimPrompt {
  readonly code: string;
  readonly verdict: Verdict;
  readonly by: AnsweredBy;
}

/** What a verdict did; `prompt` as it is now, null when nothing asks under that code. */
export interface Claimed {
  readonly outcome: VerdictOutcome;
  readonly prompt: PromptRow | null;
}

/** What a commit changed, told after it is durable. `events` in order of their ids. */
export interface CommitNotice {
  readonly events: readonly StoredEvent[];
  readonly sessions: ReadonlySet<string>;
  readonly prompts: ReadonlySet<string>;
  /** Wakes, effects or rules changed: something may be due. */
  readonly work: boolean;
  readonly meta: boolean;
}

/** A session with what its visible state follows from. */
export interface SessionSummary {
  readonly session: SessionRow;
  readonly openPrompts: number;
  readonly pending: number;
  /** Wall ms of the Sleep alarm its turn waits for. */
  readonly sleepingUntil: number | null;
  /** Earliest wake that is not due yet. */
  readonly nextWakeAt: number | null;
}

/** A visible message. `attachments`, `lost`: files with it, and files that were to be; absent: none. */
export type MessageReply = Pick<EventBody<'message.sent'>, 'text' | 'status' | 'attachments' | 'lost'>;

/** How far a message is. `replies` are those visible in the turn that consumed it. */
export interface MessageStatus {
  readonly wake: WakeRow;
  readonly settledBy: string | null;
  readonly replies: readonly MessageReply[];
}

/** The store's size in bytes and its state; `full`: nothing can be stored until there is room. */
export interface StoreHealth {
  readonly schema: number;
  readonly databaseBytes: number;
  readonly walBytes: number;
  readonly events: number;
  readonly full: boolean;
}

/** What made recovery at boot or after a worker's death do. */
export interface Recovered {
  readonly session: string;
  readonly unknownCalls: readonly string[];
  readonly parked: boolean;
}

/**
 * The durable truth. Each verb is one atomic commit; its promise resolves after the commit is durable and rejects with a
 * `KairosError` (codes: `not_found`, `name_taken`, `stale` = the step or call moved on, `too_large`, `disk_full`,
 * `corrupt`, `closed`) having changed nothing. Verbs of one event-loop turn share one transaction. Reads see commits only.
 */
export interface Store extends DeviceVerbs, UsageStore, TaskVerbs, TrustVerbs {
  createSession(input: NewSession): Promise<SessionRow>;
  renameSession(session: string, name: string): Promise<SessionRow>;
  setMode(session: string, mode: PermissionMode): Promise<SessionRow>;
  setPaused(session: string, paused: boolean): Promise<SessionRow>;
  setPausedAll(paused: boolean): Promise<void>;
  /** The session's model from its next step on: its frame is made anew; parked for its model (see `modelCodes`), it goes on. */
  setModel(session: string, model: string): Promise<SessionRow>;
  /** Brief mode from the next step on: its frame is made anew. */
  setBrief(session: string, brief: boolean): Promise<SessionRow>;
  /** `unspent`: the request of the open step cost nothing; it is reserved anew when it is made again. */
  park(session: string, code: string, reason: string, unspent?: boolean): Promise<SessionRow>;
  unpark(session: string): Promise<SessionRow>;
  archive(session: string): Promise<SessionRow>;
  /** Stores a frame as a blob and pins it to the session; the same content gives the same hash. */
  pinFrame(session: string, content: string): Promise<string>;

  /** Idempotent by `dedupeKey`. `replace` wakes end the running turn as interrupted in the same commit. */
  admitWake(input: NewWake): Promise<Admission>;
  /** A new session and its first wake in one commit; a duplicate makes no session. */
  admitToNewSession(session: NewSession, input: Omit<NewWake, 'session'>): Promise<Admission>;
  /** Consumes due wakes and begins or resumes the session's step. */
  nextStep(session: string, terms: StepTerms): Promise<NextStep>;
  /** Stores the reply before any call; without calls it also ends, nudges or continues the turn. `context`: opaque, of a runner that keeps its own. */
  recordReply(input: {
    session: string;
    step: string;
    reply: Reply;
    usage: Usage;
    terms: StepTerms;
    context?: Uint8Array;
    /** Of a reply without calls: what the model is told so that it goes on, at most three times in a turn. */
    goOn?: string;
  }): Promise<NextStep>;
  beginCall(input: BeginCall): Promise<CallAnswer>;
  /** The last call's end and the next step are one commit; null while calls of the step remain. */
  endCall(input: {
    session: string;
    call: string;
    result: CallResult;
    terms: StepTerms;
  }): Promise<NextStep | null>;
  /** Ends the turn as failed (`stale` when it is not the open one): open calls end as interrupted, `reason` is told. */
  failTurn(session: string, turn: string, reason: string): Promise<NextStep>;
  /** The model reads `text` in place of everything before seq `from`; unpins the frame. The seq of the event. */
  compact(session: string, input: EventBody<'context.compacted'>): Promise<number>;
  /** Replaces the running note of the session; `stale` when a newer one is stored. */
  memo(session: string, input: EventBody<'session.noted'>): Promise<void>;
  /** What a hook did that people and the model should know of. */
  noteHook(session: string, input: EventBody<'hook.ran'>): Promise<void>;
  /** Tells the model something in the open turn. */
  noteContext(session: string, input: EventBody<'context.noted'>): Promise<void>;
  /** Ends the running turn: calls interrupted, prompts withdrawn, its messages settled; without one, the background tasks. False when nothing ran. */
  interrupt(session: string, reason: string): Promise<boolean>;
  /** After a worker died with this session: started calls become unknown (pure ones may run again), tasks ended with it, deaths are counted, the third at one place parks. */
  workerLost(session: string, countAsCrash: boolean): Promise<Recovered>;
  /** At boot: `workerLost` without counting for every session with an open step or a background task. */
  recoverAll(): Promise<readonly Recovered[]>;

  claimPrompt(input: ClaimPrompt): Promise<Claimed>;
  /**
   * The wall clock was set by `ms` within the last `withinMs` (null: while nothing was written): alarms, expiries and back-off
   * that are older keep their length, instants that people named stay. `setting` is stored in the same commit.
   */
  shiftDurations(change: { ms: number; withinMs: number | null; setting: string | null }): Promise<void>;
  /** Expires open prompts whose time has come; their calls go on as denied. */
  expirePrompts(): Promise<readonly PromptRow[]>;
  recordOffer(offer: {
    prompt: string;
    surface: string;
    shown: number | null;
    externalId: string | null;
  }): Promise<void>;
  /** The surface was told how the prompt ended. */
  settleOffer(prompt: string, surface: string): Promise<void>;

  /** planned/granted/started -> started with attempt + 1. */
  startEffect(effect: string): Promise<EffectRow>;
  finishEffect(input: {
    effect: string;
    state: 'done' | 'failed' | 'uncertain' | 'planned';
    externalId?: string;
    reason?: string;
    /** With `planned` (retry later): not before this wall ms. */
    notBefore?: number;
  }): Promise<EffectRow>;

  addRule(rule: {
    effect: RuleRow['effect'];
    tool: string;
    subject: string | null;
    session: string | null;
    by: AnsweredBy | null;
    sandboxed?: true;
  }): Promise<RuleRow>;
  revokeRule(rule: string): Promise<boolean>;
  /** Settings changed: every call that waits for a person's leave is planned again; modes, rules and trust do so themselves. */
  decideAnew(): Promise<void>;
  setMeta(key: string, value: string): Promise<void>;

  session(idOrName: string): Promise<SessionRow | null>;
  summaries(filter?: { ids?: readonly string[]; archived?: boolean }): Promise<readonly SessionSummary[]>;
  /** Sessions that may run now (see design 9), oldest reason first; pause of all included. */
  runnable(): Promise<readonly string[]>;
  /**
   * Earliest wall ms later than `after` (default now) at which a wake or a delivery falls due, or at which an open prompt
   * expires (also when that is over); null when nothing is ahead.
   */
  nextDue(after?: number): Promise<number | null>;
  /** Sessions with a wake or alarm that is not due yet but will be at `until`; at most 32. */
  dueUntil(until: number): Promise<readonly string[]>;
  /** Newest first without `after`; with `after` oldest first. At most `limit` (<= 1,000). */
  events(
    session: string,
    page: { before?: number; after?: number; limit: number },
  ): Promise<readonly StoredEvent[]>;
  message(idOrWake: string): Promise<MessageStatus | null>;
  calls(step: string): Promise<readonly EffectRow[]>;
  effect(id: string): Promise<EffectRow | null>;
  /** Deliveries, notifications, webhooks that are not finished, in order of creation per route. */
  openEffects(): Promise<readonly EffectRow[]>;
  prompt(idOrCode: string): Promise<PromptRow | null>;
  prompts(filter: {
    state?: 'open' | 'closed';
    session?: string;
    limit: number;
  }): Promise<readonly PromptRow[]>;
  offers(filter: { surface?: string; prompt?: string; untold?: boolean }): Promise<readonly OfferRow[]>;
  /** Stored rules that hold in this session, oldest first; `null`: those of every session. */
  rules(session: string | null): Promise<readonly RuleRow[]>;
  /** Every stored rule, also those of single sessions, oldest first. */
  allRules(): Promise<readonly RuleRow[]>;
  meta(key: string): Promise<string | null>;

  putBlob(bytes: Uint8Array): Promise<string>;
  /** Stores a file of at most `mostBytes` as a blob; rejects with `bad_file` (message: what is wrong, to follow its path). */
  putFile(path: string, mostBytes: number): Promise<{ readonly hash: string; readonly bytes: number }>;
  blob(hash: string): Promise<Uint8Array | null>;
  /** Deletes blobs without a reference that are older than `minAgeMs`; the number deleted. */
  collectBlobs(minAgeMs: number): Promise<number>;

  /** Called after each durable commit, in order; must not throw. */
  onCommit(listener: (notice: CommitNotice) => void): () => void;
  health(): Promise<StoreHealth>;
  close(): Promise<void>;
}
