import type { PromptView, Verdict } from '../../../../shared/domain/prompts.ts';
import { choicesFor } from '../../../../shared/viewing/prompt-choices.ts';
import { answerText, optionAt } from '../../../../shared/viewing/question-answer.ts';
import type { Key } from '../terminal/key.ts';
import { span, type Line } from '../text/line.ts';
import { type Armed, takesKey } from './arming.ts';
import { type Draft, draftOf, emptyDraft } from './composer.ts';

/** How a person stands to the prompt that is shown. */
export interface CardState {
  readonly prompt: string;
  readonly armed: Armed;
  /** First row of the body in sight. */
  readonly scroll: number;
  /** Its last row was in sight, with everything loaded. */
  readonly isSeen: boolean;
  readonly chosen: readonly number[];
  /** An answer in own words that is being typed; null: keys answer. */
  readonly words: Draft | null;
}

/** A prompt that has just been shown. */
export function freshCard(prompt: string): CardState {
  return { prompt, armed: null, scroll: 0, isSeen: false, chosen: [], words: null };
}

/** What of the prompt decides what keys mean. */
export interface CardKeys {
  readonly prompt: PromptView;
  readonly now: number;
  readonly isSending: boolean;
  /** Rows of the body, and of those in sight. */
  readonly bodyRows: number;
  readonly shownRows: number;
}

/** The card after a key, and the verdict that the key gave. */
export interface CardStep {
  readonly card: CardState;
  readonly verdict: Verdict | null;
}

const still = (card: CardState): CardStep => ({ card, verdict: null });

/** The row that is first after scrolling; the last screen is full. */
export function scrollTo(
  row: number,
  { bodyRows, shownRows }: Pick<CardKeys, 'bodyRows' | 'shownRows'>,
): number {
  return Math.max(0, Math.min(row, bodyRows - shownRows));
}

function scrollKey(card: CardState, key: Key, keys: CardKeys): CardState | null {
  const by = (rows: number): CardState => ({ ...card, scroll: scrollTo(card.scroll + rows, keys) });
  if (key.kind === 'wheel') return by(key.rows);
  if (key.kind !== 'named') return null;
  switch (key.name) {
    case 'up':
      return by(-1);
    case 'down':
      return by(1);
    case 'pageup':
      return by(-Math.max(1, keys.shownRows - 1));
    case 'pagedown':
      return by(Math.max(1, keys.shownRows - 1));
    case 'home':
      return by(-keys.bodyRows);
    case 'end':
      return by(keys.bodyRows);
    default:
      return null;
  }
}

/** A key while the card has the focus. Scrolling is never armed; everything that answers is. */
export function cardKey(card: CardState, key: Key, keys: CardKeys): CardStep {
  const scrolledCard = scrollKey(card, key, keys);
  if (scrolledCard !== null) return still(scrolledCard);
  const { takes, armed } = takesKey(card.armed, keys.now);
  const next = { ...card, armed };
  if (!takes || keys.isSending) return still(next);
  return keys.prompt.kind === 'question'
    ? questionKey(next, key, keys.prompt)
    : approvalKey(next, key, keys.prompt);
}

function approvalKey(card: CardState, key: Key, prompt: PromptView): CardStep {
  if (key.kind !== 'text') return still(card);
  const choices = choicesFor({
    kind: prompt.kind,
    rule: prompt.rule,
    canKeep: false,
    isSeen: card.isSeen,
    isSending: false,
  });
  const choice = choices.find((candidate) => candidate.key === key.text.toLowerCase());
  return choice?.isReady === true ? { card, verdict: choice.verdict } : still(card);
}

function questionKey(card: CardState, key: Key, { options, multiple }: PromptView): CardStep {
  if (key.kind === 'named' && key.name === 'enter') {
    if (card.chosen.length === 0) return still({ ...card, words: emptyDraft });
    return { card, verdict: { behavior: 'answer', text: answerText(options, card.chosen) } };
  }
  const option = key.kind === 'text' ? optionAt(options, key.text) : null;
  if (option === null || !card.isSeen) return still(card);
  if (!multiple) return { card, verdict: { behavior: 'answer', text: answerText(options, [option]) } };
  const chosen = card.chosen.includes(option)
    ? card.chosen.filter((index) => index !== option)
    : [...card.chosen, option];
  return still({ ...card, chosen: chosen.toSorted((left, right) => left - right) });
}

/** An answer in own words: meant as it is, however short. */
export function wordsVerdict(words: Draft): Verdict | null {
  const text = words.text.trim();
  return text === '' ? null : { behavior: 'answer', text, ownWords: true };
}

/** Takes up typing an answer, with what was typed before. */
export function withWords(card: CardState, text: string): CardState {
  return { ...card, words: draftOf(text) };
}

/** What the keys do, as one row. */
export function buttonsLine(card: CardState, prompt: PromptView, isFocused: boolean): Line {
  if (!isFocused)
    return [
      span('  Tab, then ', 'muted'),
      span(prompt.kind === 'question' ? 'the letter of your answer' : 'y or n', 'asking'),
    ];
  if (prompt.kind === 'question') return questionButtons(card, prompt);
  const [yes, no] = buttonWords(prompt);
  const deny: Line = [span('  n', 'strong'), span(` ${no}`)];
  if (!card.isSeen) return [...deny, span('   Scroll to the end to allow (PgDn)', 'asking')];
  return [...deny, span('   y', 'strong'), span(` ${yes}`), span('   Esc later', 'muted')];
}

function buttonWords({ kind }: PromptView): readonly [yes: string, no: string] {
  if (kind === 'plan') return ['Approve', 'Keep planning'];
  return kind === 'trust' ? ['Trust', 'Do not trust'] : ['Allow once', 'Deny'];
}

function questionButtons({ chosen, isSeen }: CardState, { options, multiple }: PromptView): Line {
  if (!isSeen && options.length > 0) return [span('  Scroll to the end to answer (PgDn)', 'asking')];
  const letters =
    options.length === 0
      ? ''
      : `a to ${String.fromCharCode(96 + options.length)} ${multiple ? 'choose' : 'answer'}, `;
  const enter = chosen.length > 0 ? 'Enter sends' : 'Enter: in your own words';
  return [span(`  ${letters}${enter}`), span('   Esc later', 'muted')];
}
