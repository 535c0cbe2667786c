import { assertNever } from '../../../../shared/base/assert-never.ts';
import { byteText } from '../../../../shared/base/byte-text.ts';
import type {
  DeliveryItem,
  MessageInItem,
  MessageOutItem,
  NoticeItem,
  PromptItem,
  ReplyItem,
  SessionItem,
  TodosItem,
  TurnItem,
} from '../../../../shared/session/session-view-items.ts';
import { endingOf, whoOf } from '../../../../shared/viewing/prompt-ending.ts';
import { foreignSpan, foreignSpans, type Line, type Span, span, type Style } from '../text/line.ts';
import { markdownLines } from '../text/markdown-lines.ts';
import { indent, type Margin, wrapLine, wrapLines } from '../text/wrap-line.ts';
import { callsLines } from './call-lines.ts';
import { type ItemContext, momentText } from './item-context.ts';
import { causes, durationText, endings, moneyText, notices, plural, whoText } from './words.ts';

/** The rows of an item, without the empty one before it. */
export function itemLines(item: SessionItem, context: ItemContext): Line[] {
  switch (item.kind) {
    case 'message_in':
      return messageInLines(item, context);
    case 'message_out':
      return messageOutLines(item, context);
    case 'calls':
      return callsLines(item, context);
    case 'reply':
      return replyLines(item, context);
    case 'todos':
      return todoLines(item, context);
    case 'prompt':
      return promptLines(item, context);
    case 'turn':
      return oneLine(context, 'muted', `Woke ${momentText(item.at, context.now)}: ${causes[item.cause]}`);
    case 'turn_end':
      return turnEndLines(context.turn(item.turn), item, context);
    case 'delivery':
      return deliveryLines(item, context);
    case 'notice':
      return noticeLines(item, context);
    case 'unknown':
      return oneLine(context, 'muted', `Something newer than this viewer: ${item.type}`);
    default:
      return assertNever(item, 'item');
  }
}

/** True for what begins a new paragraph of the conversation. */
export function standsApart({ kind }: SessionItem): boolean {
  return kind === 'message_in' || kind === 'message_out' || kind === 'turn';
}

/** A short text in one style, wrapped. */
function oneLine({ columns }: ItemContext, style: Style, text: string): Line[] {
  return wrapLine([foreignSpan(text, style)], columns, { first: [], rest: indent(2).rest });
}

const own: Margin = { first: [span('> ', 'accent')], rest: indent(2).rest };

/** What was written, with who wrote it where that is not the owner in a viewer. */
function messageInLines(item: MessageInItem, { columns, device }: ItemContext): Line[] {
  const sender = senderOf(item, device);
  const text = foreignSpans(item.text, 'strong').map((part): Span[] => [part]);
  const head = sender === null ? [] : wrapLine([foreignSpan(sender, 'muted')], columns, own);
  const mark = markOf(item);
  return [
    ...head,
    ...wrapLines(text, columns, sender === null ? own : indent(2)),
    ...(mark === null ? [] : [[span(`  ${mark[0]}`, mark[1])]]),
  ];
}

/** Null for what was written here, or by the owner in another viewer. */
function senderOf({ origin, route }: MessageInItem, device: string | null): string | null {
  if (origin === null || (origin.trust === 'owner' && route.surface === 'viewers')) return null;
  if (origin.device !== undefined && origin.device === device) return null;
  const chat = route.chat === undefined ? '' : `, ${route.chat}`;
  return route.surface === 'viewers' ? origin.principal : `[${route.surface}${chat}] ${origin.principal}`;
}

/** Only what is not as expected is said: that it waits, that nothing came of it. */
function markOf({ settledBy, turn }: MessageInItem): readonly [string, Style] | null {
  switch (settledBy) {
    case null:
      return turn === null ? ['Stored, waits', 'muted'] : null;
    case 'nothing_to_say':
      return ['Read, nothing to say', 'muted'];
    case 'failure_notice':
      return ['Failed, see below', 'bad'];
    case 'interrupted':
      return ['Stopped before an answer', 'muted'];
    case 'reply':
    case 'channel_reply':
      return null;
    default:
      return assertNever(settledBy, 'settling');
  }
}

function messageOutLines(item: MessageOutItem, context: ItemContext): Line[] {
  const { columns, now } = context;
  const alone =
    item.status === 'proactive' ? [[span(`On its own, ${momentText(item.at, now)}`, 'asking')]] : [];
  const files = item.attachments.map(({ name, bytes }) =>
    wrapLine([span('+ ', 'muted'), foreignSpan(name), span(`  ${byteText(bytes)}`, 'muted')], columns),
  );
  const lost = item.lost.map(({ path, reason }) =>
    wrapLine([span('Not sent: ', 'bad'), foreignSpan(path), foreignSpan(` ${reason}`, 'muted')], columns),
  );
  return [...alone, ...markdownLines(item.text, columns), ...files.flat(), ...lost.flat()];
}

function replyLines({ text, thinking }: ReplyItem, { columns }: ItemContext): Line[] {
  const bar: Margin = { first: [span('┊ ', 'muted')], rest: [span('┊ ', 'muted')] };
  const quoted = (words: string, style: Style): Line[] =>
    words.trim() === ''
      ? []
      : wrapLines(
          foreignSpans(words.trim(), style).map((part): Span[] => [part]),
          columns,
          bar,
        );
  return [...quoted(thinking, 'muted'), ...quoted(text, 'plain')];
}

const todoMarks = { pending: '[ ]', in_progress: '[~]', completed: '[x]' } as const;

function todoLines({ todos }: TodosItem, { columns }: ItemContext): Line[] {
  return todos.flatMap(({ state, text }) =>
    wrapLine([span(`${todoMarks[state]} `, 'muted'), foreignSpan(text)], columns, {
      first: [],
      rest: indent(4).rest,
    }),
  );
}

function promptLines(item: PromptItem, context: ItemContext): Line[] {
  const ending = endingOf(item);
  if (ending === null) return [];
  const isNo = ending === 'deny' || ending === 'expired';
  const who = item.by === null ? '' : ` by ${whoText(whoOf(item.by, context.device))}`;
  const words = item.verdict?.behavior === 'answer' ? item.verdict.text : null;
  const reason = item.verdict?.behavior === 'deny' ? (item.verdict.reason ?? null) : null;
  const said = words ?? reason;
  const line: Span[] = [
    span(isNo ? '✗ ' : '✓ ', isNo ? 'bad' : 'good'),
    foreignSpan(item.headline, 'code'),
    span(`  ${endings[ending]}`),
    foreignSpan(who, 'muted'),
    ...(said === null ? [] : [span(': '), foreignSpan(said)]),
  ];
  return wrapLine(line, context.columns, { first: [], rest: indent(2).rest });
}

function turnEndLines(
  turn: TurnItem | undefined,
  end: { at: number; outcome: string },
  context: ItemContext,
): Line[] {
  const ended = end.outcome === 'done' ? [] : [end.outcome === 'failed' ? 'Failed' : 'Stopped'];
  const sums =
    turn === undefined
      ? []
      : [
          durationText(end.at - turn.at),
          ...(turn.calls === 0 ? [] : [plural(turn.calls, 'call', 'calls')]),
          ...(context.isDetailed ? [plural(turn.tokens, 'token', 'tokens')] : []),
          ...(turn.microUsd === 0 ? [] : [moneyText(turn.microUsd)]),
        ];
  const text = [...ended, ...sums].join(', ');
  return text === '' ? [] : oneLine(context, end.outcome === 'failed' ? 'bad' : 'muted', text);
}

function deliveryLines({ route, state, reason }: DeliveryItem, context: ItemContext): Line[] {
  const to = route.chat === undefined ? route.surface : `${route.surface} ${route.chat}`;
  const why = reason === null ? '' : ` ${reason}`;
  switch (state) {
    case 'planned':
      return oneLine(context, 'muted', `On its way to ${to}`);
    case 'done':
      return oneLine(context, 'muted', `Delivered to ${to}`);
    case 'failed':
      return oneLine(context, 'bad', `Not delivered to ${to}.${why}`);
    case 'uncertain':
      return oneLine(context, 'asking', `May not have arrived at ${to}. Not repeated.${why}`);
    default:
      return assertNever(state, 'delivery');
  }
}

function noticeLines({ notice, detail }: NoticeItem, context: ItemContext): Line[] {
  const style = notice === 'parked' || notice === 'task_failed' || notice === 'task_lost' ? 'bad' : 'muted';
  return oneLine(context, style, notices[notice](detail));
}
