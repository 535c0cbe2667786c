import { assertNever } from '../base/assert-never.ts';
import {
  type AnyEvent,
  type EventBody,
  eventBodies,
  isKnownEvent,
  type StoredEvent,
} from '../domain/events.ts';
import type { CallItem, NoticeCode, SessionItem } from './session-view-items.ts';

type Kind = SessionItem['kind'];
type ItemOf<Wanted extends Kind> = Extract<SessionItem, { kind: Wanted }>;

/** Characters and lines of a call's result that a folded call shows. */
const headChars = 600;
const headLines = 10;

/** Adds events, in order of seq, to the items made of all earlier ones. Deterministic; the given items stay unchanged. */
export function foldEvents(items: readonly SessionItem[], events: readonly AnyEvent[]): SessionItem[] {
  const folded = [...items];
  for (const event of events) foldEvent(folded, event);
  return folded;
}

function foldEvent(items: SessionItem[], event: AnyEvent): void {
  if (isReadable(event)) foldKnown(items, event);
  else items.push({ kind: 'unknown', ...placed(event), type: event.type, body: event.body });
}

function isReadable(event: AnyEvent): event is StoredEvent {
  return isKnownEvent(event) && eventBodies[event.type].safeParse(event.body).success;
}

function placed(event: Pick<AnyEvent, 'seq' | 'at'>): { seq: number; at: number } {
  return { seq: event.seq, at: event.at };
}

function foldKnown(items: SessionItem[], event: StoredEvent): void {
  switch (event.type) {
    case 'session.created':
    case 'session.renamed':
    case 'session.mode_set':
    case 'session.paused':
    case 'session.resumed':
    case 'session.parked':
    case 'session.unparked':
    case 'turn.nudged':
    case 'step.abandoned':
      items.push({ kind: 'notice', ...placed(event), ...noticeOf(event) });
      return;
    case 'message.received':
    case 'message.sent':
    case 'message.settled':
      foldMessage(items, event);
      return;
    case 'turn.began':
    case 'turn.ended':
    case 'step.began':
    case 'step.replied':
      foldTurn(items, event);
      return;
    case 'call.began':
    case 'call.ended':
      foldCall(items, event);
      return;
    case 'prompt.opened':
    case 'prompt.decided':
    case 'prompt.expired':
    case 'prompt.withdrawn':
      foldPrompt(items, event);
      return;
    case 'delivery.planned':
    case 'delivery.done':
    case 'delivery.failed':
    case 'delivery.uncertain':
      foldDelivery(items, event);
      return;
    default:
      assertNever(event, 'event');
  }
}

type EventOf<Type extends StoredEvent['type']> = Extract<StoredEvent, { type: Type }>;

function noticeOf(
  event: EventOf<
    | 'session.created'
    | 'session.renamed'
    | 'session.mode_set'
    | 'session.paused'
    | 'session.resumed'
    | 'session.parked'
    | 'session.unparked'
    | 'turn.nudged'
    | 'step.abandoned'
  >,
): { notice: NoticeCode; detail: string } {
  switch (event.type) {
    case 'session.created':
      return { notice: 'created', detail: event.body.dir };
    case 'session.renamed':
      return { notice: 'renamed', detail: event.body.name };
    case 'session.mode_set':
      return { notice: 'mode_set', detail: event.body.mode };
    case 'session.paused':
      return { notice: 'paused', detail: '' };
    case 'session.resumed':
      return { notice: 'resumed', detail: '' };
    case 'session.parked':
      return { notice: 'parked', detail: event.body.reason };
    case 'session.unparked':
      return { notice: 'unparked', detail: '' };
    case 'turn.nudged':
      return { notice: 'nudged', detail: event.body.text };
    case 'step.abandoned':
      return { notice: 'step_abandoned', detail: event.body.reason };
    default:
      return assertNever(event, 'notice');
  }
}

function foldMessage(
  items: SessionItem[],
  event: EventOf<'message.received' | 'message.sent' | 'message.settled'>,
): void {
  switch (event.type) {
    case 'message.received': {
      const { message, wake, ref, kind: cause, text, route } = event.body;
      const origin = event.origin ?? null;
      const started = { turn: null, settledBy: null };
      items.push({
        kind: 'message_in',
        ...placed(event),
        message,
        wake,
        ref,
        cause,
        text,
        origin,
        route,
        ...started,
      });
      return;
    }
    case 'message.sent': {
      const { turn, text, status, source, inReplyTo, routes } = event.body;
      items.push({ kind: 'message_out', ...placed(event), turn, text, status, source, inReplyTo, routes });
      return;
    }
    case 'message.settled': {
      const { wake, by, turn } = event.body;
      change(
        items,
        'message_in',
        (item) => item.wake === wake,
        (item) => ({
          ...item,
          settledBy: by,
          turn: turn ?? item.turn,
        }),
      );
      return;
    }
    default:
      assertNever(event, 'message event');
  }
}

function foldTurn(
  items: SessionItem[],
  event: EventOf<'turn.began' | 'turn.ended' | 'step.began' | 'step.replied'>,
): void {
  const { turn } = event.body;
  switch (event.type) {
    case 'turn.began': {
      const sums = { steps: 0, calls: 0, tokens: 0, microUsd: 0, outcome: null, endedAt: null };
      items.push({ kind: 'turn', ...placed(event), turn, cause: event.body.cause, ...sums });
      return;
    }
    case 'step.began':
      for (const wake of event.body.wakes) {
        change(
          items,
          'message_in',
          (item) => item.wake === wake,
          (item) => ({ ...item, turn }),
        );
      }
      changeTurn(items, turn, (item) => ({ ...item, steps: item.steps + 1 }));
      return;
    case 'step.replied':
      foldReply(items, event);
      return;
    case 'turn.ended': {
      const { outcome } = event.body;
      changeTurn(items, turn, (item) => ({ ...item, outcome, endedAt: event.at }));
      items.push({ kind: 'turn_end', ...placed(event), turn, outcome });
      return;
    }
    default:
      assertNever(event, 'turn event');
  }
}

function foldReply(items: SessionItem[], event: EventOf<'step.replied'>): void {
  const { turn, step, reply, usage } = event.body;
  const textOf = (type: 'text' | 'thinking'): string =>
    reply.parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('\n');
  const [text, thinking] = [textOf('text'), textOf('thinking')];
  if (text !== '' || thinking !== '') {
    items.push({ kind: 'reply', ...placed(event), turn, step, model: reply.model, text, thinking });
  }
  changeTurn(items, turn, (item) => ({
    ...item,
    tokens: item.tokens + usage.inputTokens + usage.outputTokens,
    microUsd: item.microUsd + usage.microUsd,
  }));
}

function foldCall(items: SessionItem[], event: EventOf<'call.began' | 'call.ended'>): void {
  if (event.type === 'call.began') return foldCallBegan(items, event);
  const { call, result } = event.body;
  changeCall(items, call, event.body.turn, (item) => ({
    ...item,
    state: result.outcome,
    head: headOf(result.output),
    spill: result.spill ?? null,
    endedAt: event.at,
  }));
}

function foldCallBegan(items: SessionItem[], event: EventOf<'call.began'>): void {
  const { call, step, turn, tool, input, decision, until } = event.body;
  const began: CallItem = {
    ...placed(event),
    call,
    step,
    tool,
    input,
    decision,
    state: until === undefined ? 'running' : 'sleeping',
    until: until ?? null,
    head: null,
    spill: null,
    endedAt: null,
  };
  const added = change(
    items,
    'calls',
    (item) => item.turn === turn,
    (item) => ({
      ...item,
      calls: [...item.calls.filter((other) => other.call !== call), began],
    }),
  );
  if (!added) items.push({ kind: 'calls', ...placed(event), turn, calls: [began] });
  changeTurn(items, turn, (item) => ({ ...item, calls: item.calls + 1 }));
}

function headOf(output: string): string {
  return output.split('\n', headLines).join('\n').slice(0, headChars);
}

function foldPrompt(
  items: SessionItem[],
  event: EventOf<'prompt.opened' | 'prompt.decided' | 'prompt.expired' | 'prompt.withdrawn'>,
): void {
  if (event.type === 'prompt.opened') {
    const { prompt, code, kind: promptKind, call, tool, headline, expiresAt } = event.body;
    const open = { state: 'open', verdict: null, by: null } as const;
    items.push({
      kind: 'prompt',
      ...placed(event),
      prompt,
      code,
      promptKind,
      call,
      tool,
      headline,
      expiresAt,
      ...open,
    });
    if (call !== null) setCallState(items, call, 'asking');
    return;
  }
  const end = promptEnd(event);
  let call: string | null = null;
  change(
    items,
    'prompt',
    (item) => item.prompt === event.body.prompt,
    (item) => {
      call = item.call;
      return { ...item, ...end };
    },
  );
  if (call !== null) setCallState(items, call, 'running');
}

/** How a prompt ended, from the event that ended it. */
export function promptEnd(
  event: EventOf<'prompt.decided' | 'prompt.expired' | 'prompt.withdrawn'>,
): Pick<ItemOf<'prompt'>, 'state' | 'verdict' | 'by'> {
  switch (event.type) {
    case 'prompt.decided':
      return { state: 'decided', verdict: event.body.verdict, by: event.body.by };
    case 'prompt.expired':
      return { state: 'expired', verdict: null, by: null };
    case 'prompt.withdrawn':
      return { state: 'withdrawn', verdict: null, by: null };
    default:
      return assertNever(event, 'prompt end');
  }
}

function foldDelivery(
  items: SessionItem[],
  event: EventOf<'delivery.planned' | 'delivery.done' | 'delivery.failed' | 'delivery.uncertain'>,
): void {
  const { effect } = event.body;
  if (event.type === 'delivery.planned') {
    const { route } = event.body;
    items.push({ kind: 'delivery', ...placed(event), effect, route, state: 'planned', reason: null });
    return;
  }
  const state = event.type.slice('delivery.'.length) as 'done' | 'failed' | 'uncertain';
  const reason = 'reason' in event.body ? event.body.reason : null;
  change(
    items,
    'delivery',
    (item) => item.effect === effect,
    (item) => ({ ...item, state, reason }),
  );
}

function changeTurn(
  items: SessionItem[],
  turn: string,
  next: (item: ItemOf<'turn'>) => ItemOf<'turn'>,
): void {
  change(items, 'turn', (item) => item.turn === turn, next);
}

function setCallState(items: SessionItem[], call: string, state: 'asking' | 'running'): void {
  changeCall(items, call, null, (item) => (item.endedAt === null ? { ...item, state } : item));
}

function changeCall(
  items: SessionItem[],
  call: string,
  turn: string | null,
  next: (item: CallItem) => CallItem,
): void {
  const holds = (item: ItemOf<'calls'>): boolean =>
    (turn === null || item.turn === turn) && item.calls.some((candidate) => candidate.call === call);
  change(items, 'calls', holds, (item) => ({
    ...item,
    calls: item.calls.map((candidate) => (candidate.call === call ? next(candidate) : candidate)),
  }));
}

/** Replaces the newest item of a kind that fits; false when there is none (its page is not loaded). */
function change<Wanted extends Kind>(
  items: SessionItem[],
  kind: Wanted,
  fits: (item: ItemOf<Wanted>) => boolean,
  next: (item: ItemOf<Wanted>) => SessionItem,
): boolean {
  // From the end: what an event refers to is nearly always recent.
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item?.kind !== kind || !fits(item as ItemOf<Wanted>)) continue;
    items[index] = next(item as ItemOf<Wanted>);
    return true;
  }
  return false;
}
