import { quotedText } from '../../../shared/base/quoted-text.ts';
import type { ContextMessage } from '../../../shared/domain/messages.ts';
import { clipTokens, textTokens } from './tokens.ts';

/** A compaction's text in its two halves: the summary, and texts of a turn that was running, word for word. */
export interface CompactionText {
  readonly summary: string;
  readonly turn: string | null;
  /** As they stand in the text. */
  readonly open: readonly string[];
}

const intro =
  'The conversation up to here is longer than fits. This summary takes its place; the log keeps every word of it (transcript_search finds them).';
const openHeading = (turn: string): string =>
  `## Word for word: what people wrote in the running turn (${turn})`;
const openPattern = /\n\n## Word for word: what people wrote in the running turn \((\S+)\)\n\n/g;

/** The whole text. Lines of people are quoted, so that nothing in them can pass for a heading of ours. */
export function renderCompaction({ summary, turn, open }: CompactionText): string {
  const told = `${intro}\n\n${summary}`;
  return turn === null || open.length === 0
    ? told
    : `${told}\n\n${openHeading(turn)}\n\n${open.join('\n\n')}`;
}

/** The halves of a text that `renderCompaction` made. */
export function readCompaction(text: string): CompactionText {
  const begin = text.startsWith(`${intro}\n\n`) ? intro.length + 2 : 0;
  // The summary may speak of such a heading; ours is the last.
  const heading = [...text.matchAll(openPattern)].at(-1);
  if (heading === undefined) return { summary: text.slice(begin), turn: null, open: [] };
  const rest = text.slice(heading.index + heading[0].length);
  return { summary: text.slice(begin, heading.index), turn: heading[1] ?? null, open: rest.split('\n\n') };
}

/** The texts of the running turn that are about to go, with those that went before; each gets its share of `most` tokens. */
export function openTexts(
  dropped: readonly ContextMessage[],
  turn: string,
  earlier: CompactionText | null,
  most: number,
): string[] {
  const before = earlier?.turn === turn ? earlier.open : [];
  const now = dropped.flatMap((message) =>
    message.role === 'user' && message.ref !== undefined && message.turn === turn
      ? [`${message.ref}:\n${quotedText(message.text)}`]
      : [],
  );
  const all = [...before, ...now];
  const fits = all.reduce((sum, text) => sum + textTokens(text), 0) <= most;
  if (fits) return all;
  const share = Math.floor(most / all.length) - 20;
  return all.map((text) =>
    share < 10 ? firstLine(text) : requote(clipTokens(text, share, 'the middle is left out')),
  );
}

/** After a cut: the first line names the message, all others carry the mark. */
function requote(text: string): string {
  const [name = '', ...lines] = text.split('\n');
  return [name, ...lines.map((line) => (line.startsWith('> ') ? line : `> ${line}`))].join('\n');
}

function firstLine(text: string): string {
  return text.split('\n').slice(0, 1).join('');
}
