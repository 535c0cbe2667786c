import type { PromptView, Verdict } from '../../../../shared/domain/prompts.ts';
import { answerText } from '../../../../shared/viewing/question-answer.ts';
import { relativeTime } from '../../output/times.ts';
import { foreignSpan, foreignSpans, type Line, span } from '../text/line.ts';
import { indent, wrapLine, wrapLines } from '../text/wrap-line.ts';

/** A prompt written out, whole, with the numbers that answer it. */
export function promptAsked(
  prompt: PromptView,
  { now, columns, others }: { now: number; columns: number; others: number },
): Line[] {
  const name = prompt.sessionName ?? 'This session';
  const more = others === 0 ? '' : ` ${others} more wait behind it.`;
  return [
    ...wrapLine([foreignSpan(`Needs you: ${name}: ${prompt.headline}`, 'asking')], columns),
    ...wrapLine(
      [foreignSpan(`In ${prompt.dir}, expires ${relativeTime(prompt.expiresAt, now)}.${more}`, 'muted')],
      columns,
    ),
    ...(prompt.description === ''
      ? []
      : wrapLine([foreignSpan(`Kairos says: ${prompt.description}`, 'muted')], columns)),
    ...(prompt.risks ?? []).flatMap((risk) => wrapLine([foreignSpan(`Risk: ${risk}`, 'bad')], columns)),
    ...(prompt.reason === null || prompt.reason === undefined
      ? []
      : wrapLine([foreignSpan(`Asks because: ${prompt.reason}.`, 'muted')], columns)),
    ...wrapLines(
      foreignSpans(prompt.preview, 'code').map((part): Line => [part]),
      columns,
      indent(2),
    ),
    ...answersOf(prompt).flatMap((line) => wrapLine(line, columns)),
  ];
}

function answersOf({ kind, options, multiple }: PromptView): Line[] {
  if (kind !== 'question') {
    const [deny, allow] =
      kind === 'plan'
        ? ['Keep planning', 'Approve']
        : kind === 'trust'
          ? ['Do not trust', 'Trust']
          : ['Deny', 'Allow once'];
    return [
      [span(`1. ${deny}`)],
      [span(`2. ${allow}`)],
      [span('Type the number and Enter; anything else is a message.', 'muted')],
    ];
  }
  return [
    ...options.map(
      ({ label, description }, index): Line => [
        span(`${index + 1}. `),
        foreignSpan(label),
        ...(description === undefined || description === ''
          ? []
          : [foreignSpan(`: ${description}`, 'muted')]),
      ],
    ),
    [
      span(
        `${numbersHint(options.length, multiple)}0 and your own words, then Enter. Anything else is a message.`,
        'muted',
      ),
    ],
  ];
}

function numbersHint(count: number, multiple: boolean): string {
  if (count === 0) return 'Type ';
  return multiple ? 'Type one or more numbers (1 3), or ' : 'Type a number, or ';
}

/** The verdict that a typed line gives to the prompt that was asked; null when it is a message. */
export function verdictOf(
  { kind, options, multiple }: Pick<PromptView, 'kind' | 'options' | 'multiple'>,
  line: string,
): Verdict | null {
  const text = line.trim();
  if (kind !== 'question') {
    if (text === '1') return { behavior: 'deny' };
    return text === '2' ? { behavior: 'allow', scope: 'once' } : null;
  }
  const own = /^0\s+(\S.*)$/s.exec(text)?.[1];
  if (own !== undefined) return { behavior: 'answer', text: own, ownWords: true };
  if (!/^\d+([\s,]+\d+)*$/.test(text)) return null;
  const chosen = text.split(/[\s,]+/).map((number) => Number(number) - 1);
  const isKnown = chosen.every((index) => options[index] !== undefined) && (multiple || chosen.length === 1);
  return isKnown ? { behavior: 'answer', text: answerText(options, chosen) } : null;
}
