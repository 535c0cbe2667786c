import { carriesText } from '../domain/wakes.ts';
import type { CallItem, SessionItem, TurnItem } from '../session/session-view-items.ts';

/** Tools by which the model talks to the person: what they say is shown as a message or a card already. */
const talkingTools: ReadonlySet<string> = new Set(['SendUserMessage', 'Brief', 'AskUserQuestion']);

/** Wakes that the row before them explains: a message of the person, or an answer that was just given. */
const evidentCauses: ReadonlySet<string> = new Set(['person', 'channel', 'verdict', 'answer']);

/** Notices that concern how the model works. */
const notesForDetail: ReadonlySet<string> = new Set([
  'nudged',
  'step_abandoned',
  'compacted',
  'noted',
  'hook_blocked',
  'hook_changed',
  'hook_failed',
]);

/** The items a person sees: in brief what concerns them, in detail every one. */
export function visibleItems(items: readonly SessionItem[], isDetailed: boolean): SessionItem[] {
  return items.filter((item) => (isDetailed ? isShownInDetail(item) : isShownInBrief(item)));
}

/** An open prompt is the card below; the history shows how it ended. */
function isShownInDetail(item: SessionItem): boolean {
  return item.kind !== 'prompt' || item.state !== 'open';
}

function isShownInBrief(item: SessionItem): boolean {
  switch (item.kind) {
    case 'message_in':
      return carriesText(item.cause) && item.cause !== 'tick';
    case 'calls':
      return shownCalls(item.calls, false).length > 0;
    case 'prompt':
      return item.state !== 'open';
    case 'turn':
      return !evidentCauses.has(item.cause);
    case 'delivery':
      return item.state === 'failed' || item.state === 'uncertain';
    case 'notice':
      return !notesForDetail.has(item.notice);
    case 'reply':
    case 'todos':
      return false;
    case 'message_out':
    case 'turn_end':
    case 'unknown':
      return true;
  }
}

/** The calls that a fold shows. */
export function shownCalls(calls: readonly CallItem[], isDetailed: boolean): readonly CallItem[] {
  return isDetailed ? calls : calls.filter(({ tool }) => !talkingTools.has(tool));
}

/** True for what a person should look at without opening a fold. */
export function isFailed({ state }: CallItem): boolean {
  return state === 'error' || state === 'unknown';
}

/** The turns of a session by id, for the marks at their ends; in brief `calls` counts those that a fold shows. */
export function turnsOf(items: readonly SessionItem[], isDetailed: boolean): ReadonlyMap<string, TurnItem> {
  const turns = new Map<string, TurnItem>();
  for (const item of items) {
    if (item.kind === 'turn') turns.set(item.turn, item);
    const turn = item.kind === 'calls' && !isDetailed ? turns.get(item.turn) : undefined;
    if (turn === undefined || item.kind !== 'calls') continue;
    turns.set(item.turn, { ...turn, calls: shownCalls(item.calls, false).length });
  }
  return turns;
}
