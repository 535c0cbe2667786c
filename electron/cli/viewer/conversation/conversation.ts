import type { MessageInItem } from '../../../../shared/session/session-view-items.ts';
import type { Cancel, Clock } from '../../../../shared/base/ports.ts';
import { openPrompts } from '../../../../shared/viewing/open-prompts.ts';
import type { Frame, Picture, Size } from '../terminal/frame.ts';
import { filled } from '../terminal/frame.ts';
import type { Key } from '../terminal/key.ts';
import { type Line, span } from '../text/line.ts';
import { pageOf, type ViewerActs, type ViewerState } from '../follow/viewer-state.ts';
import { type CardBoxFacts, Card } from './card-shell.ts';
import { emptyField, type Field, fieldKey } from './composer-keys.ts';
import { footerLine, headerLine } from './header.ts';
import { History } from './history.ts';
import { helpLines } from './keys-help.ts';
import { cardBox, cardHeight, compose, fieldBox, fieldHeight, ruleLine } from './layout.ts';
import { Notices } from './notices.ts';

/** What a conversation is shown with. */
export interface ConversationPorts {
  readonly viewer: ViewerActs & { readonly state: ViewerState; subscribe(listener: () => void): () => void };
  readonly clock: Clock;
  /** The person leaves; the agent goes on. */
  leave(): void;
  /** Puts text on the person's clipboard. */
  copy(text: string): void;
}

type Focus = 'field' | 'card' | 'history';

/** What the person wrote, here or in another viewer of theirs. */
function isOwn({ origin, route }: MessageInItem, device: string | null): boolean {
  return route.surface === 'viewers' && (origin?.trust === 'owner' || origin?.device === device);
}

/** Changes that come from the daemon are drawn at most this often, ms (ux.md, 5: 10 frames a second). */
const frameMs = 100;
/** While something runs its seconds are counted. */
const tickMs = 1_000;

/** The live conversation: what is typed, what has the focus, where the history stands. */
export class Conversation implements Picture {
  readonly #ports: ConversationPorts;
  readonly #history: History;
  readonly #card: Card;
  readonly #notices = new Notices();
  readonly #listeners = new Set<() => void>();
  #field: Field = emptyField;
  #focus: Focus = 'field';
  #isHelpOpen = false;
  #cancelFrame: Cancel | null = null;
  #cancelTick: Cancel | null = null;

  constructor(ports: ConversationPorts) {
    this.#ports = ports;
    this.#history = new History(ports.viewer, ports.clock);
    this.#card = new Card(ports.viewer, ports.clock);
    ports.viewer.subscribe(() => this.#changed());
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What was typed and not sent. */
  get unsentText(): string {
    return this.#field.draft.text;
  }

  close(): void {
    this.#cancelFrame?.();
    this.#cancelTick?.();
    this.#listeners.clear();
  }

  frame(size: Size): Frame {
    const { state } = this.#ports.viewer;
    const now = this.#ports.clock.now();
    if (this.#isHelpOpen) return { rows: filled(helpLines(size.columns), size.rows), caret: null };
    this.#notices.look(state);
    const facts = this.#card.facts(state, size.columns, now);
    if (facts === null && this.#focus === 'card') this.#focus = 'field';
    const words = this.#card.words;
    const field = fieldBox(words ?? this.#field, this.#sent(), {
      columns: size.columns,
      most: fieldHeight(size, facts !== null),
      label: words === null ? '> ' : 'Answer> ',
      hint: words === null ? this.#fieldHint() : 'In your own words, Enter sends',
    });
    const card = facts === null ? [] : this.#cardRows(facts, cardHeight(size, field.rows.length));
    this.#tick(state);
    return compose(size, {
      header: headerLine(state, now, size.columns),
      history: (height) => this.#history.rows({ columns: size.columns, height }),
      card,
      rule: ruleLine(size.columns, 'muted', this.#ruleWords()),
      field,
      footer: footerLine(state, now, size.columns),
      hint: this.#hint(size.columns),
      hasCaret: this.#focus === 'field' || words !== null,
    });
  }

  key(key: Key): void {
    if (this.#isHelpOpen) {
      this.#isHelpOpen = false;
      if (!(key.kind === 'text' && key.text === '?') && !(key.kind === 'ctrl' && key.letter === 'c'))
        return this.#draw();
    } else this.#notices.clear();
    if (key.kind === 'ctrl' && key.letter === 'c') this.#clearOrLeave();
    else if (!this.#anywhere(key)) this.#focusedKey(key);
    this.#draw();
  }

  /** Keys that mean the same wherever the focus is. */
  #anywhere(key: Key): boolean {
    if (key.kind === 'ctrl' && key.letter === 'o') {
      this.#history.toggleDetail();
      return true;
    }
    if (key.kind === 'named' && key.name === 'tab' && this.#field.search === null) {
      this.#nextFocus();
      return true;
    }
    return false;
  }

  #focusedKey(key: Key): void {
    switch (this.#focus) {
      case 'card':
        if (key.kind === 'named' && key.name === 'escape' && this.#card.words === null)
          this.#setFocus('field');
        else this.#card.key(key);
        return;
      case 'history':
        return this.#historyKey(key);
      case 'field':
        return this.#fieldKey(key);
    }
  }

  #historyKey(key: Key): void {
    if (key.kind === 'named' && key.name === 'escape') return this.#setFocus('field');
    if (key.kind === 'text' && key.text === 'c') {
      const source = this.#history.sourceInSight();
      if (source === null) return this.#notices.say('No message in sight', 'muted');
      this.#ports.copy(source);
      return this.#notices.say('Copied the last message in sight', 'good');
    }
    if (this.#history.key(key, true)) return;
    this.#setFocus('field');
    this.#fieldKey(key);
  }

  #fieldKey(key: Key): void {
    const { draft, search } = this.#field;
    if (search === null) {
      if (key.kind === 'named' && key.name === 'enter') return this.#send();
      if (key.kind === 'ctrl' && key.letter === 'd' && draft.text === '') return this.#ports.leave();
      if (key.kind === 'text' && key.text === '?' && draft.text === '') {
        this.#isHelpOpen = true;
        return;
      }
      const isTyping =
        key.kind === 'named' && (key.name === 'home' || key.name === 'end') && draft.text !== '';
      if (!isTyping && this.#history.key(key, false)) return;
    }
    const next = fieldKey(this.#field, key, this.#sent());
    if (next === null) return;
    if (next.draft.text !== draft.text) this.#ports.viewer.typing();
    this.#field = next;
  }

  #send(): void {
    const { text } = this.#field.draft;
    if (text.trim() === '') return;
    this.#ports.viewer.send(text);
    this.#field = emptyField;
    this.#history.toEnd();
  }

  #clearOrLeave(): void {
    if (this.#card.words !== null) return this.#card.cancelWords();
    if (this.#field.search !== null)
      this.#field = fieldKey(this.#field, { kind: 'ctrl', letter: 'c' }, []) ?? this.#field;
    else if (this.#field.draft.text !== '') this.#field = emptyField;
    else this.#ports.leave();
  }

  #nextFocus(): void {
    const hasCard = openPrompts(this.#ports.viewer.state, this.#ports.viewer.state.session).length > 0;
    if (this.#focus === 'field') this.#setFocus(hasCard ? 'card' : 'history');
    else this.#setFocus(this.#focus === 'card' ? 'history' : 'field');
  }

  #setFocus(focus: Focus): void {
    this.#focus = focus;
    this.#card.setFocused(focus === 'card');
  }

  #cardRows(facts: CardBoxFacts, most: number): readonly Line[] {
    const box = cardBox(facts.card, facts, { most, isFocused: this.#focus === 'card' });
    this.#card.drawn(box);
    // What was learned by drawing (its end is in sight now) changes its buttons.
    return this.#card.takesChange()
      ? this.#cardRows({ ...facts, card: this.#card.state ?? facts.card }, most)
      : box.rows;
  }

  /** What was sent from here before, oldest first, for recalling it. */
  #sent(): readonly string[] {
    const { state } = this.#ports.viewer;
    const own = (pageOf(state)?.items ?? []).flatMap((item) =>
      item.kind === 'message_in' && isOwn(item, state.device) ? [item.text] : [],
    );
    const all = [...own, ...state.unsent.map(({ text }) => text)];
    return all.filter((text, index) => text !== all[index + 1]);
  }

  #fieldHint(): string {
    return this.#focus === 'field' ? 'Message Kairos' : '';
  }

  #ruleWords(): Line | null {
    const notice = this.#notices.line() ?? this.#card.notice();
    if (notice !== null) return notice;
    return this.#history.ruleWords(this.#focus === 'history');
  }

  #hint(columns: number): Line {
    const view = this.#history.isDetailed ? 'Detail' : 'Brief';
    const leave = columns < 60 ? 'Ctrl+C leaves' : 'Ctrl+C leaves, the agent goes on';
    return [span(`${view}  ${leave}  ? keys`, 'muted')];
  }

  /** Draws what the daemon changed, not more often than people can read. */
  #changed(): void {
    this.#cancelFrame ??= this.#ports.clock.after(frameMs, () => this.#draw());
  }

  #draw(): void {
    this.#cancelFrame?.();
    this.#cancelFrame = null;
    for (const listener of this.#listeners) listener();
  }

  #tick(state: ViewerState): void {
    const isCounting = pageOf(state)?.session.state === 'working' && state.link.kind === 'live';
    if (!isCounting || this.#cancelTick !== null) return;
    this.#cancelTick = this.#ports.clock.after(tickMs, () => {
      this.#cancelTick = null;
      this.#draw();
    });
  }
}
