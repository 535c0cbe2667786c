import { assertNever } from '../base/assert-never.ts';
import { change, type EventOf, type ItemOf, placed, setCallState } from './session-view-change.ts';
import type { NoticeCode, SessionItem } from './session-view-items.ts';

/** What a notice says, from the event that is one. */
export function noticeOf(
  event: EventOf<
    | 'session.created'
    | 'session.renamed'
    | 'session.mode_set'
    | 'session.model_set'
    | 'session.brief_set'
    | 'session.paused'
    | 'session.resumed'
    | 'session.parked'
    | 'session.unparked'
    | 'turn.nudged'
    | 'task.began'
    | 'hook.ran'
    | 'task.ended'
    | 'context.compacted'
    | 'context.noted'
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
    case 'session.model_set':
      return { notice: 'model_set', detail: event.body.model };
    case 'session.brief_set':
      return { notice: 'brief_set', detail: event.body.brief ? 'on' : 'off' };
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
    case 'hook.ran': {
      const { hook, event: at, outcome, text, broken } = event.body;
      return { notice: `hook_${broken ?? outcome}`, detail: `${hook}, ${at}: ${text}` };
    }
    case 'task.began':
      return { notice: 'task_began', detail: event.body.title };
    case 'task.ended':
      return { notice: taskNotice(event.body), detail: event.body.title };
    case 'context.compacted':
      return { notice: 'compacted', detail: event.body.text };
    case 'context.noted':
      return { notice: 'noted', detail: event.body.text };
    case 'step.abandoned':
      return { notice: 'step_abandoned', detail: event.body.reason };
    default:
      return assertNever(event, 'notice');
  }
}

/** A task that ended badly, or of which nobody knows how, is worth another word. */
function taskNotice({ how, code }: EventOf<'task.ended'>['body']): NoticeCode {
  if (how === 'lost') return 'task_lost';
  return (how === 'exited' && code !== 0) || how === 'timed_out' || how === 'not_started'
    ? 'task_failed'
    : 'task_ended';
}

/** Adds a message, or marks it settled. */
export function foldMessage(
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
      const { turn, text, status, source, inReplyTo, routes, attachments = [], lost = [] } = event.body;
      items.push({
        kind: 'message_out',
        ...placed(event),
        turn,
        text,
        status,
        source,
        inReplyTo,
        routes,
        attachments,
        lost,
      });
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

/** Adds the list as it is from here on. */
export function foldTodos(items: SessionItem[], event: EventOf<'todos.set'>): void {
  const { call, todos } = event.body;
  items.push({ kind: 'todos', ...placed(event), call, todos });
}

/** Adds a prompt, or its end. */
export function foldPrompt(
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

/** Adds a delivery, or what became of it. */
export function foldDelivery(
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
