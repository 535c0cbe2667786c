import type { Attachment, LostAttachment } from '../domain/attachments.ts';
import type { CallOutcome } from '../domain/messages.ts';
import type { Origin, Route } from '../domain/origin-route.ts';
import type { Decision } from '../domain/permissions/call-facts.ts';
import type { AnsweredBy, PromptKind, PromptState, Verdict } from '../domain/prompts.ts';
import type { Todo } from '../domain/todos.ts';
import type { SettledBy, WakeKind } from '../domain/wakes.ts';

/** Where an item stands: seq and wall ms of the event that made it. */
interface Placed {
  readonly seq: number;
  readonly at: number;
}

/** A text that came in. `turn`: the turn that took it, null while it waits; `settledBy` null while it is owed an answer. */
export interface MessageInItem extends Placed {
  readonly kind: 'message_in';
  readonly message: string;
  readonly wake: string;
  readonly ref: string;
  readonly cause: WakeKind;
  readonly text: string;
  readonly origin: Origin | null;
  readonly route: Route;
  readonly turn: string | null;
  readonly settledBy: SettledBy | null;
}

/** What the person reads. */
export interface MessageOutItem extends Placed {
  readonly kind: 'message_out';
  readonly turn: string | null;
  readonly text: string;
  readonly status: 'normal' | 'proactive';
  readonly source: 'tool' | 'final_text' | 'notice';
  readonly inReplyTo: string | null;
  readonly routes: readonly Route[];
  readonly attachments: readonly Attachment[];
  /** Files that were to go with it and could not. */
  readonly lost: readonly LostAttachment[];
}

/** The model's own list as a call left it; for the detail view. */
export interface TodosItem extends Placed {
  readonly kind: 'todos';
  readonly call: string;
  readonly todos: readonly Todo[];
}

/** `asking` and `sleeping` wait for a person or an alarm; then what became of the call. */
export type CallItemState = 'running' | 'asking' | 'sleeping' | CallOutcome;

/** One tool call; `head` is the beginning of its result. */
export interface CallItem extends Placed {
  readonly call: string;
  readonly step: string;
  readonly tool: string;
  readonly input: unknown;
  readonly decision: Decision;
  readonly state: CallItemState;
  readonly until: number | null;
  readonly head: string | null;
  readonly spill: string | null;
  readonly endedAt: number | null;
}

/** All calls of a turn, folded at the place of the first. */
export interface CallsItem extends Placed {
  readonly kind: 'calls';
  readonly turn: string;
  readonly calls: readonly CallItem[];
}

/** What the model wrote besides its messages; for the detail view. */
export interface ReplyItem extends Placed {
  readonly kind: 'reply';
  readonly turn: string;
  readonly step: string;
  readonly model: string;
  readonly text: string;
  readonly thinking: string;
}

/** A question to a person and how it ended. */
export interface PromptItem extends Placed {
  readonly kind: 'prompt';
  readonly prompt: string;
  readonly code: string;
  readonly promptKind: PromptKind;
  readonly call: string | null;
  readonly tool: string | null;
  readonly headline: string;
  readonly expiresAt: number;
  readonly state: PromptState;
  readonly verdict: Verdict | null;
  readonly by: AnsweredBy | null;
}

/** Why the session woke; the sums grow until the turn ends. Money in millionths of a US dollar. */
export interface TurnItem extends Placed {
  readonly kind: 'turn';
  readonly turn: string;
  readonly cause: WakeKind;
  readonly steps: number;
  readonly calls: number;
  readonly tokens: number;
  readonly microUsd: number;
  readonly outcome: 'done' | 'interrupted' | 'failed' | null;
  readonly endedAt: number | null;
}

/** The mark at a turn's end; its sums are on the turn's own item. */
export interface TurnEndItem extends Placed {
  readonly kind: 'turn_end';
  readonly turn: string;
  readonly outcome: 'done' | 'interrupted' | 'failed';
}

/** A message on its way to a chat. */
export interface DeliveryItem extends Placed {
  readonly kind: 'delivery';
  readonly effect: string;
  readonly route: Route;
  readonly state: 'planned' | 'done' | 'failed' | 'uncertain';
  readonly reason: string | null;
}

/** What happened to the session itself. */
export type NoticeCode =
  | 'created'
  | 'renamed'
  | 'mode_set'
  | 'model_set'
  | 'brief_set'
  | 'paused'
  | 'resumed'
  | 'parked'
  | 'unparked'
  | 'nudged'
  | 'task_began'
  | 'task_ended'
  | 'task_failed'
  | 'task_lost'
  | 'compacted'
  | 'noted'
  | 'step_abandoned'
  | 'hook_blocked'
  | 'hook_changed'
  | 'hook_failed'
  /** A guard does not work, for the first time in this session: what it guards passes, or nothing of it does. */
  | 'hook_passes'
  | 'hook_holds'
  | 'hook_said';

/** Something that happened to the session itself; `detail` is a name, a mode or a reason. */
export interface NoticeItem extends Placed {
  readonly kind: 'notice';
  readonly notice: NoticeCode;
  readonly detail: string;
}

/** An event this build cannot read (a newer type, or a body that does not fit). */
export interface UnknownItem extends Placed {
  readonly kind: 'unknown';
  readonly type: string;
  readonly body: unknown;
}

/** What a viewer shows of a session, in order of `seq`. */
export type SessionItem =
  | MessageInItem
  | MessageOutItem
  | TodosItem
  | CallsItem
  | ReplyItem
  | PromptItem
  | TurnItem
  | TurnEndItem
  | DeliveryItem
  | NoticeItem
  | UnknownItem;
