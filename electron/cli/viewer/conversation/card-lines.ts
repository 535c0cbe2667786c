import { optionLetter } from '../../../../shared/domain/answer-text.ts';
import type { PromptView } from '../../../../shared/domain/prompts.ts';
import { relativeTime } from '../../output/times.ts';
import { fitLine, foreignSpan, foreignSpans, type Line, lineText, type Span, span } from '../text/line.ts';
import { indent, wrapLine, wrapLines } from '../text/wrap-line.ts';

/** What a card is drawn with. */
export interface CardFacts {
  readonly prompt: PromptView;
  /** Frames cut it, and the whole text is still on its way. */
  readonly isPartial: boolean;
  readonly index: number;
  readonly count: number;
  readonly now: number;
  readonly columns: number;
  /** Options chosen so far, where several may be. */
  readonly chosen: readonly number[];
}

/** The rows of a card but for its buttons: `head` always stands, `body` is what is decided on and scrolls. */
export interface CardRows {
  readonly head: readonly Line[];
  readonly body: readonly Line[];
}

function titleOf({ prompt, index, count }: CardFacts): string {
  const who = prompt.sessionName ?? 'This session';
  const of = count > 1 ? `  ${index + 1} of ${count}` : '';
  switch (prompt.kind) {
    case 'question':
      return `${who} has a question${of}`;
    case 'plan':
      return `${who} has a plan${of}`;
    case 'trust':
      return `${who}: do you trust this directory?${of}`;
    default:
      return `${who} asks${of}`;
  }
}

function headLines(facts: CardFacts): Line[] {
  const { prompt, columns, now } = facts;
  const hanging = { first: [span('  ')], rest: indent(4).rest };
  const title: Line = [
    span('! ', 'asking'),
    foreignSpan(titleOf(facts), 'asking'),
    span(`  expires ${relativeTime(prompt.expiresAt, now)}`, 'muted'),
  ];
  const says = prompt.description === '' ? [] : [foreignSpan(`Kairos says: ${prompt.description}`, 'muted')];
  return [
    fitLine(title, columns),
    ...wrapLine([span('in ', 'muted'), foreignSpan(prompt.dir, 'muted')], columns, hanging),
    ...says.flatMap((line) => wrapLine([line], columns, hanging)),
    ...(prompt.risks ?? []).flatMap((risk) =>
      wrapLine([span('! ', 'bad'), foreignSpan(risk, 'bad')], columns, hanging),
    ),
    ...(prompt.reason === null || prompt.reason === undefined
      ? []
      : wrapLine([foreignSpan(`Asks because: ${prompt.reason}`, 'muted')], columns, hanging)),
  ];
}

/** Added and removed lines of a diff are told by their signs, and by colour where there is one. */
function previewStyle(prompt: PromptView, line: string): Span['style'] {
  if (prompt.kind === 'question' || prompt.kind === 'plan') return 'plain';
  if (prompt.tool === 'Bash') return 'code';
  if (/^\+(?!\+\+)/.test(line)) return 'good';
  if (/^-(?!--)/.test(line)) return 'bad';
  return line.startsWith('@@') ? 'accent' : 'plain';
}

function optionLines({ prompt, columns, chosen }: CardFacts): Line[] {
  return prompt.options.flatMap(({ label, description }, index) => {
    const box = prompt.multiple ? `${chosen.includes(index) ? '[x]' : '[ ]'} ` : '';
    const more =
      description === undefined || description === '' ? [] : [foreignSpan(`  ${description}`, 'muted')];
    const letter = optionLetter(index).toLowerCase();
    return wrapLine(
      [span(`${letter} `, 'accent'), span(box), foreignSpan(label, 'strong'), ...more],
      columns,
      {
        first: [span('  ')],
        rest: indent(4).rest,
      },
    );
  });
}

/** The rows of a prompt: the whole of what is decided on, wrapped and never cut. */
export function cardRows(facts: CardFacts): CardRows {
  const { prompt, columns } = facts;
  const lines = foreignSpans(prompt.preview).map(
    (part): Line => [span(part.text, previewStyle(prompt, part.text))],
  );
  const preview = wrapLines(lines, columns, indent(2));
  const headline = lineText([foreignSpan(prompt.headline)]);
  // A headline that says no more than the preview does is not said twice.
  const subject = prompt.headline.replace(`${prompt.tool ?? ''}: `, '');
  const isTold = prompt.preview.includes(subject) || prompt.kind === 'question';
  const head = isTold ? [] : wrapLine([span(headline, 'strong')], columns, indent(2));
  const partial = facts.isPartial ? [[span('  Reading the whole text…', 'muted')]] : [];
  return { head: [...headLines(facts), ...head], body: [...preview, ...partial, ...optionLines(facts)] };
}
