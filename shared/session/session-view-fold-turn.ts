import { assertNever } from '../base/assert-never.ts';
import { change, changeCall, changeTurn, type EventOf, placed } from './session-view-change.ts';
import type { CallItem, SessionItem } from './session-view-items.ts';

/** Characters and lines of a call's result that a folded call shows. */
const headChars = 600;
const headLines = 10;

/** Adds what begins, feeds and ends a turn. */
export function foldTurn(
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

/** Adds a call to the fold of its turn, or its end. */
export function foldCall(items: SessionItem[], event: EventOf<'call.began' | 'call.ended'>): void {
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
    (item) => ({ ...item, calls: [...item.calls, began] }),
  );
  if (!added) items.push({ kind: 'calls', ...placed(event), turn, calls: [began] });
  changeTurn(items, turn, (item) => ({ ...item, calls: item.calls + 1 }));
}

function headOf(output: string): string {
  return output.split('\n', headLines).join('\n').slice(0, headChars);
}
