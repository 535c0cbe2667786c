import { visibleText } from '../../../../shared/base/visible-text.ts';
import type { CallItem, CallsItem } from '../../../../shared/session/session-view-items.ts';
import { callSubject } from '../../../../shared/viewing/call-subject.ts';
import { isFailed, shownCalls } from '../../../../shared/viewing/visible-items.ts';
import { fitLine, foreignSpan, foreignSpans, type Line, type Span, span, type Style } from '../text/line.ts';
import { indent, wrapLine, wrapLines } from '../text/wrap-line.ts';
import type { ItemContext } from './item-context.ts';
import { callStates, plural } from './words.ts';

/** Rows of a result or a command that the brief view shows of a call that failed. */
const briefHead = 5;

const tones: Readonly<Record<CallItem['state'], Style>> = {
  running: 'accent',
  asking: 'asking',
  sleeping: 'muted',
  ok: 'muted',
  error: 'bad',
  denied: 'bad',
  unknown: 'asking',
  interrupted: 'muted',
};

/** The calls of a turn: one line each where there are few or the view is detailed, else one for all; what failed is open. */
export function callsLines(item: CallsItem, context: ItemContext): Line[] {
  const calls = shownCalls(item.calls, context.isDetailed);
  if (context.isDetailed) return calls.flatMap((call) => callLines(call, context, true));
  if (calls.length === 1) return calls.flatMap((call) => callLines(call, context, isFailed(call)));
  const failed = calls.filter(isFailed);
  const now = calls.filter(({ state }) => state === 'running' || state === 'asking' || state === 'sleeping');
  const summary = [
    plural(calls.length, 'call', 'calls'),
    ...(failed.length === 0 ? [] : [`${failed.length} failed`]),
  ];
  return [
    [span('▸ ', 'muted'), span(summary.join(', '), 'muted')],
    ...[...failed, ...now].flatMap((call) => callLines(call, context, isFailed(call))),
  ];
}

/** A call in one line; `open`: with its whole command and the head of its result. */
function callLines(call: CallItem, context: ItemContext, isOpen: boolean): Line[] {
  const { columns, isDetailed } = context;
  const [mark, word] = callStates[call.state];
  const subject = callSubject(call.input);
  const head: Span[] = [
    span(`${mark} `, tones[call.state]),
    foreignSpan(visibleText(call.tool)),
    span(' '),
    foreignSpan(subject, 'code'),
  ];
  const state = word === '' ? [] : [span(`  ${word}`, tones[call.state])];
  // The state is never what is cut off.
  const first = [...fitLine(head, Math.max(8, columns - word.length - 2)), ...state];
  if (!isOpen) return [first];
  const rows = [...subjectRows(subject, head, columns), ...resultRows(call, columns)];
  const shown =
    isDetailed || rows.length <= briefHead ? rows : [...rows.slice(0, briefHead), [span('    …', 'muted')]];
  const by = isDetailed ? [[span('    '), foreignSpan(decidedBy(call), 'muted')]] : [];
  return [first, ...shown, ...by.map((line) => fitLine(line, columns))];
}

/** The whole command, where the folded line did not show it. */
function subjectRows(subject: string, head: readonly Span[], columns: number): Line[] {
  const width = head.reduce((sum, { text }) => sum + text.length, 0);
  if (width <= columns - 2 && !subject.includes('\n')) return [];
  return wrapLines(
    foreignSpans(subject, 'code').map((part): Span[] => [part]),
    columns,
    indent(4),
  );
}

function resultRows({ head, spill }: CallItem, columns: number): Line[] {
  const text = (head ?? '').trimEnd();
  const rows =
    text === ''
      ? []
      : wrapLines(
          foreignSpans(text, 'muted').map((part): Span[] => [part]),
          columns,
          indent(4),
        );
  return spill === null
    ? rows
    : [
        ...rows,
        ...wrapLine([span('    The output was longer than what is shown.', 'muted')], columns, indent(4)),
      ];
}

function decidedBy({ decision }: CallItem): string {
  return `Decided by ${decision.by}${decision.rule === null ? '' : `, ${decision.rule}`}`;
}
