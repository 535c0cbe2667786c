import type { Reservation } from '../../../shared/domain/budget.ts';
import type { EffectClass, EffectKind, EffectState } from '../../../shared/domain/effects.ts';
import type { CallResult, Usage } from '../../../shared/domain/messages.ts';
import type { Origin, Route } from '../../../shared/domain/origin-route.ts';
import type { CallFacts, Decision } from '../../../shared/domain/permissions/call-facts.ts';
import type { KeptRule, SourcedRule } from '../../../shared/domain/permissions/rules.ts';
import type { AnsweredBy, PromptView } from '../../../shared/domain/prompts.ts';
import type { Parked, PermissionMode, SessionKind, WorkerType } from '../../../shared/domain/sessions.ts';
import type { OpenStep, OpenTurn } from '../../../shared/domain/steps.ts';
import type { Todo } from '../../../shared/domain/todos.ts';
import type { WakeKind, WakeMode, WakeState } from '../../../shared/domain/wakes.ts';

/** A session. Times are wall ms. `seq` is the number of its newest event. */
export interface SessionRow {
  readonly id: string;
  /** Unique among sessions that are not archived. */
  readonly name: string | null;
  readonly kind: SessionKind;
  readonly workerType: WorkerType;
  readonly parent: string | null;
  readonly dir: string;
  readonly mode: PermissionMode;
  /** `offline`, `anthropic/<model>`, ... */
  readonly model: string;
  readonly createdAt: number;
  readonly lastActivity: number;
  readonly archivedAt: number | null;
  readonly seq: number;
  /** Number of the next message ref (`m1`, `m2` ...). */
  readonly nextRef: number;
  readonly paused: boolean;
  readonly parked: Parked | null;
  readonly turn: OpenTurn | null;
  readonly step: OpenStep | null;
  readonly frame: string | null;
  /** Opaque context of a runner that keeps its own (blob hash). */
  readonly context: string | null;
  /** Worker deaths since the last progress; `at` names the step and how far it was. */
  readonly crash: { readonly at: string; readonly count: number } | null;
  /** All that people read goes through SendUserMessage (behaviour 5); otherwise a turn's final text is the answer. */
  readonly brief: boolean;
  /** The newest compaction: the context is `text` and then what follows from `from` (a seq) on. `seq`: its event. */
  readonly compaction: { readonly seq: number; readonly from: number; readonly text: string } | null;
  /** The running note of this session, which covers everything up to `upTo` (a seq). */
  readonly memo: { readonly upTo: number; readonly text: string } | null;
  readonly tasks: SessionTasks | null;
  readonly todos: readonly Todo[] | null;
  /** Limit over the session's whole life; null = the settings' one holds. */
  readonly budget: { readonly microUsd: number | null } | null;
  /** Rule texts that were given when it was made (`--allow`, `--ask`, `--deny`); null: none. */
  readonly rules: SessionRules | null;
  /** Whether its shells run shut in; null: as the settings say. */
  readonly sandbox: SandboxWish | null;
}

/** Rule texts of one session, as written. */
export type SessionRules = Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>>;

/** `required`: without a sandbox nothing of it runs in a shell. */
export type SandboxWish = 'off' | 'on' | 'required';

/** A shell that goes on after its call ended; it lives and dies with the session's worker. */
export interface BackgroundTask {
  readonly id: string;
  readonly call: string;
  readonly title: string;
  /** File its output goes to, in the session's scratch folder. */
  readonly output: string;
  readonly beganAt: number;
  /** Where its end is told. */
  readonly route: Route;
}

/** The background tasks of a session: those that run, and how their ends are told. */
export interface SessionTasks {
  readonly running: readonly BackgroundTask[];
  /** Wall ms from which ends were told, the last hour's, oldest first. */
  readonly told: readonly number[];
  /** Ends that the next step tells the model of. */
  readonly untold: readonly string[];
}

/** A stored reason to run. `dedupeKey` is unique over all sessions. */
export interface WakeRow {
  readonly id: string;
  readonly session: string;
  readonly kind: WakeKind;
  readonly mode: WakeMode;
  readonly origin: Origin;
  readonly route: Route;
  readonly dedupeKey: string;
  readonly state: WakeState;
  readonly createdAt: number;
  /** Due from this wall ms on. */
  readonly availableAt: number;
  /** For wakes that carry text. */
  readonly message: string | null;
  readonly ref: string | null;
  /** Event that holds the text (`message.received`). */
  readonly seq: number | null;
  /** For verdict, answer, timer: the call that goes on. */
  readonly call: string | null;
  readonly turn: string | null;
}

/** A journaled effect; a tool call is one of kind `call`, its id is the call id. */
export interface EffectRow {
  readonly id: string;
  readonly session: string;
  readonly kind: EffectKind;
  /** Step of a call; call or turn of a delivery. */
  readonly cause: string;
  readonly class: EffectClass;
  /** Idempotency key given to the platform. */
  readonly key: string;
  readonly route: Route | null;
  readonly state: EffectState;
  readonly attempt: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Calls: tool name, input, facts and decision once known, result once ended. */
  readonly tool: string | null;
  readonly input: unknown;
  readonly facts: CallFacts | null;
  readonly decision: Decision | null;
  readonly digest: string | null;
  readonly prompt: string | null;
  readonly result: CallResult | null;
  /** Sleep: wall ms of its alarm. Deliveries: not before this wall ms (back-off). */
  readonly until: number | null;
  /** Deliveries: the text to send and the platform's id once known. */
  readonly text: string | null;
  readonly externalId: string | null;
}

/** A question to a person. `view` is what surfaces show. */
export interface PromptRow extends PromptView {
  /** What is risky about it, the worst first; null where nobody looked. */
  readonly risks: readonly string[] | null;
  /** Why it is asked; null where no policy said so. */
  readonly reason: string | null;
  readonly digest: string;
  /** The rule that `always` or `session` stores. */
  readonly ruleSubject: KeptRule | null;
  readonly origin: Origin;
}

/** The showing of a prompt on one surface. `shown` = characters of the preview that were shown; null until the surface confirmed. */
export interface OfferRow {
  readonly prompt: string;
  readonly surface: string;
  readonly offeredAt: number;
  readonly shown: number | null;
  readonly settledTold: boolean;
  readonly externalId: string | null;
}

/** A stored permission rule; `by` null when no person gave it. */
export interface RuleRow extends SourcedRule {
  readonly id: string;
  /** Null for rules of every session. */
  readonly session: string | null;
  readonly createdAt: number;
  readonly by: AnsweredBy | null;
}

/** What a person said about the executable configuration of a directory (real path); asked again when its digest is another. */
export interface TrustRow {
  readonly dir: string;
  readonly digest: string;
  readonly trusted: boolean;
  /** What was shown, for the list and for what changed since. */
  readonly config: string;
  readonly at: number;
  readonly by: AnsweredBy | null;
}

const deviceScopes = ['read', 'send', 'approve', 'owner'] as const;
/** What a device may do; `owner` includes the others. */
export type DeviceScope = (typeof deviceScopes)[number];

/** A program that may use the bridge beside the owner token. Only a hash of its token is kept. */
export interface DeviceRow {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly DeviceScope[];
  readonly tokenHash: string;
  readonly createdAt: number;
  /** Noted about once an hour while it is used. */
  readonly lastSeen: number | null;
  readonly revokedAt: number | null;
  /** The device that made it (a ticket of its, or an owner device's wish); null: the owner token did. It ends with its maker. */
  readonly madeBy: string | null;
  /** Made of a ticket, its token is in a page's memory only: removed when nobody uses it any more. */
  readonly window: boolean;
}

/** What a device is made of. */
export type NewDevice = Pick<DeviceRow, 'name' | 'scopes' | 'tokenHash' | 'madeBy' | 'window'>;

/** One usage entry: reserved at step.began, settled by the reply; `settled` false counts as spent. */
export interface UsageRow {
  readonly step: string;
  readonly session: string;
  readonly model: string;
  /** Kind of the wake that began the turn. */
  readonly cause: WakeKind;
  /** Local calendar day `YYYY-MM-DD`. */
  readonly day: string;
  readonly reserved: Reservation;
  readonly settled: boolean;
  readonly tokens: number;
  readonly microUsd: number;
  /** What the request was for: a step of the session, or work beside it. */
  readonly purpose: UsagePurpose;
  /** As the provider reported it; null until settled. */
  readonly detail: Usage | null;
}

/** What a model request was for. */
export type UsagePurpose = 'step' | 'compaction' | 'memo' | 'search';
