import type { Clock } from '../../../../shared/base/ports.ts';
import type { PromptView } from '../../../../shared/domain/prompts.ts';
import { openPrompts } from '../../../../shared/viewing/open-prompts.ts';
import type { ViewerActs, ViewerState } from '../follow/viewer-state.ts';
import type { Key } from '../terminal/key.ts';
import { foreignSpan, type Line, span } from '../text/line.ts';
import { type CardState, cardKey, freshCard, wordsVerdict } from './card.ts';
import type { CardFacts } from './card-lines.ts';
import { emptyField, type Field, fieldKey } from './composer-keys.ts';
import { type CardBox, wholePrompt } from './layout.ts';

/** A card's facts with its state. */
export interface CardBoxFacts extends CardFacts {
  readonly card: CardState;
}

/** The prompt that is shown: which one, how far it was read, and what keys do to it. */
export class Card {
  readonly #acts: ViewerActs & { readonly state: ViewerState };
  readonly #clock: Clock;
  #card: CardState | null = null;
  #prompt: PromptView | null = null;
  #isFocused = false;
  #box: Pick<CardBox, 'bodyRows' | 'shownRows'> = { bodyRows: 0, shownRows: 0 };
  #field: Field = emptyField;
  #changed = false;

  constructor(acts: ViewerActs & { readonly state: ViewerState }, clock: Clock) {
    this.#acts = acts;
    this.#clock = clock;
  }

  get state(): CardState | null {
    return this.#card;
  }

  /** The answer in own words that is being typed; null when keys answer. */
  get words(): Field | null {
    const isTyping = this.#isFocused && this.#card !== null && this.#card.words !== null;
    return isTyping ? this.#field : null;
  }

  /** What to draw, or null when nothing asks. A prompt that ended gives way to the next, which begins unarmed. */
  facts(state: ViewerState, columns: number, now: number): CardBoxFacts | null {
    const open = openPrompts(state, state.session);
    const index = Math.max(
      0,
      open.findIndex(({ id }) => id === this.#card?.prompt),
    );
    const shown = open[index];
    if (shown === undefined) {
      this.#show(null);
      return null;
    }
    if (shown.id !== this.#card?.prompt) this.#show(shown);
    const { prompt, isPartial } = wholePrompt(shown, state.wholePrompts[shown.id]);
    if (isPartial) this.#acts.readWhole(prompt.id);
    this.#prompt = prompt;
    const card = this.#card ?? freshCard(prompt.id);
    return { card, prompt, isPartial, index, count: open.length, now, columns, chosen: card.chosen };
  }

  #show(prompt: PromptView | null): void {
    this.#prompt = prompt;
    this.#field = emptyField;
    this.#card = prompt === null ? null : freshCard(prompt.id);
    if (prompt === null) this.#isFocused = false;
    else this.#arm();
  }

  #arm(): void {
    if (this.#card !== null)
      this.#card = { ...this.#card, armed: this.#isFocused ? this.#clock.monotonic() : null };
  }

  setFocused(isFocused: boolean): void {
    this.#isFocused = isFocused;
    this.#arm();
  }

  /** Takes in what drawing told: how much there is to scroll, and whether its end was in sight. */
  drawn(box: CardBox): void {
    this.#box = box;
    this.#changed = box.isEndInSight && this.#card?.isSeen === false;
    if (this.#changed && this.#card !== null) this.#card = { ...this.#card, isSeen: true };
  }

  /** True when the last drawing taught something that changes what is drawn. */
  takesChange(): boolean {
    const changed = this.#changed;
    this.#changed = false;
    return changed;
  }

  cancelWords(): void {
    if (this.#card !== null) this.#card = { ...this.#card, words: null };
    this.#field = emptyField;
    this.#arm();
  }

  key(key: Key): void {
    if (this.#card === null || this.#prompt === null) return;
    if (this.#card.words !== null) return this.#wordsKey(key);
    if (key.kind === 'named' && (key.name === 'left' || key.name === 'right'))
      return this.#next(key.name === 'right' ? 1 : -1);
    const keys = {
      prompt: this.#prompt,
      now: this.#clock.monotonic(),
      isSending: this.#isSending(),
      ...this.#box,
    };
    const { card, verdict } = cardKey(this.#card, key, keys);
    this.#card = card;
    if (verdict !== null) this.#acts.decide(card.prompt, verdict);
  }

  #isSending(): boolean {
    const progress = this.#card === null ? undefined : this.#acts.state.verdicts[this.#card.prompt];
    return progress?.kind === 'sending';
  }

  #next(step: 1 | -1): void {
    const { state } = this.#acts;
    const open = openPrompts(state, state.session);
    const index = open.findIndex(({ id }) => id === this.#card?.prompt);
    const next = open[(index + step + open.length) % open.length];
    if (next !== undefined && next.id !== this.#card?.prompt) this.#show(next);
  }

  #wordsKey(key: Key): void {
    if (key.kind === 'named' && key.name === 'escape') return this.cancelWords();
    if (key.kind === 'named' && key.name === 'enter') {
      const verdict = wordsVerdict(this.#field.draft);
      if (verdict !== null && this.#card !== null && !this.#isSending())
        this.#acts.decide(this.#card.prompt, verdict);
      return;
    }
    this.#field = fieldKey(this.#field, key, []) ?? this.#field;
  }

  /** What became of the answer, where that is worth a word. */
  notice(): Line | null {
    const progress = this.#card === null ? undefined : this.#acts.state.verdicts[this.#card.prompt];
    if (progress === undefined) return null;
    switch (progress.kind) {
      case 'sending':
        return [span('Sending your answer…', 'muted')];
      case 'failed':
        return [
          foreignSpan(`Your answer did not arrive, nothing was decided: ${progress.fault.message}`, 'bad'),
        ];
      case 'answered':
        return progress.answer.outcome === 'accepted' ? null : [foreignSpan(progress.answer.message, 'bad')];
    }
  }
}
