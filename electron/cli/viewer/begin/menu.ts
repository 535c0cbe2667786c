import type { Clock } from '../../../../shared/base/ports.ts';
import { type Armed, takesKey } from '../conversation/arming.ts';
import { fieldBox } from '../conversation/layout.ts';
import { emptyField, type Field, fieldKey } from '../conversation/composer-keys.ts';
import { draftOf } from '../conversation/composer.ts';
import { filled, type Frame, type Picture, type Size } from '../terminal/frame.ts';
import type { Key } from '../terminal/key.ts';
import { fitLine, foreignSpan, type Line, span } from '../text/line.ts';
import { indent, wrapLine } from '../text/wrap-line.ts';
import type { Choice, Offer, TextQuestion } from './asker.ts';

abstract class Asking implements Picture {
  readonly #listeners = new Set<() => void>();

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected changed(): void {
    for (const listener of this.#listeners) listener();
  }

  abstract frame(size: Size): Frame;
  abstract key(key: Key): void;
}

const isCancel = (key: Key): boolean =>
  (key.kind === 'named' && key.name === 'escape') ||
  (key.kind === 'ctrl' && (key.letter === 'c' || key.letter === 'd'));

/** A list to choose from, below what it is about, which scrolls where it is long. */
export class Menu extends Asking {
  readonly #choice: Choice;
  readonly #clock: Clock;
  readonly #done: (index: number | null) => void;
  #selected = 0;
  #scroll = 0;
  #room = 0;
  #bodyRows = 0;
  #isSeen = false;
  #armed: Armed;

  constructor(choice: Choice, clock: Clock, done: (index: number | null) => void) {
    super();
    this.#choice = choice;
    this.#clock = clock;
    this.#done = done;
    this.#armed = clock.monotonic();
  }

  frame({ columns, rows }: Size): Frame {
    const body = this.#choice.body(columns);
    const offered = Math.min(this.#choice.offers.length, Math.max(2, Math.floor(rows / 2)));
    this.#bodyRows = body.length;
    this.#room = Math.max(0, rows - offered - 5 - this.#aboutSelected(columns).length);
    this.#scroll = Math.max(0, Math.min(this.#scroll, body.length - this.#room));
    const left = body.length - this.#scroll - this.#room;
    if (left <= 0) this.#isSeen = true;
    const offers = this.#offerLines(columns, offered);
    const more: Line[] =
      body.length <= this.#room
        ? []
        : [
            [
              span(
                left > 0 ? `${left} more ${left === 1 ? 'row' : 'rows'}: PgDn` : 'That was all of it.',
                'asking',
              ),
            ],
          ];
    const lines: Line[] = [
      [span(this.#choice.title, 'strong')],
      ...body.slice(this.#scroll, this.#scroll + this.#room),
      ...more,
      [],
      ...offers,
      ...this.#aboutSelected(columns),
      [],
      fitLine(
        [
          span(
            columns < 50 ? 'Enter takes, Esc leaves' : 'Up, Down, Enter; Esc leaves and changes nothing',
            'muted',
          ),
        ],
        columns,
      ),
    ];
    return { rows: filled(lines, rows), caret: null };
  }

  #offerLines(columns: number, most: number): Line[] {
    const all = this.#choice.offers.map((offer, index) => this.#offerLine(offer, index, columns));
    const isWhole = all.length <= most;
    const room = isWhole ? most : most - 1;
    const first = Math.max(0, Math.min(this.#selected - room + 1, all.length - room));
    const hidden = all.length - room;
    return [
      ...all.slice(first, first + room),
      ...(isWhole ? [] : [[span(`    and ${hidden} more`, 'muted')]]),
    ];
  }

  #aboutSelected(columns: number): Line[] {
    const more = this.#choice.offers[this.#selected]?.more;
    return more === undefined ? [] : [[], ...wrapLine([foreignSpan(more, 'muted')], columns, indent(4))];
  }

  #offerLine({ words, detail, isGuarded }: Offer, index: number, columns: number): Line {
    const isSelected = index === this.#selected;
    const number = index < 9 ? `${index + 1} ` : '  ';
    const wait = isGuarded === true && !this.#isSeen ? [span('  scroll to the end first', 'asking')] : [];
    return fitLine(
      [
        span(isSelected ? '> ' : '  ', 'accent'),
        span(number, 'muted'),
        foreignSpan(words, isSelected ? 'strong' : 'plain'),
        ...(detail === undefined ? [] : [foreignSpan(`  ${detail}`, 'muted')]),
        ...wait,
      ],
      columns,
    );
  }

  key(key: Key): void {
    if (isCancel(key)) return this.#done(null);
    const { takes, armed } = takesKey(this.#armed, this.#clock.monotonic());
    const wanted = this.#wanted(key);
    if (wanted === null) this.#move(key);
    else {
      const offer = this.#choice.offers[wanted];
      const isReady = offer?.isGuarded !== true || (takes && this.#isSeen);
      if (offer !== undefined) this.#selected = wanted;
      if (offer !== undefined && isReady) return this.#done(wanted);
      this.#armed = armed;
    }
    this.changed();
  }

  /** The offer that a key takes: by its number, or the selected one. */
  #wanted(key: Key): number | null {
    if (key.kind === 'named' && key.name === 'enter') return this.#selected;
    return key.kind === 'text' && /^[1-9]$/.test(key.text) ? Number(key.text) - 1 : null;
  }

  #move(key: Key): void {
    if (key.kind === 'wheel') this.#scroll += key.rows;
    if (key.kind !== 'named') return;
    const last = this.#choice.offers.length - 1;
    if (key.name === 'up') this.#selected = Math.max(0, this.#selected - 1);
    if (key.name === 'down' || key.name === 'tab') this.#selected = Math.min(last, this.#selected + 1);
    if (key.name === 'pageup') this.#scroll -= Math.max(1, this.#room - 1);
    if (key.name === 'pagedown') this.#scroll += Math.max(1, this.#room - 1);
    if (key.name === 'home') this.#scroll = 0;
    if (key.name === 'end') this.#scroll = this.#bodyRows;
  }
}

/** A field with what belongs into it proposed. */
export class TextField extends Asking {
  readonly #question: TextQuestion;
  readonly #done: (text: string | null) => void;
  #field: Field;

  constructor(question: TextQuestion, done: (text: string | null) => void) {
    super();
    this.#question = question;
    this.#done = done;
    this.#field = { ...emptyField, draft: draftOf(question.initial) };
  }

  frame({ columns, rows }: Size): Frame {
    const box = fieldBox(this.#field, [], { columns, most: 3, label: '> ', hint: '' });
    const above: Line[] = [[span(this.#question.title, 'strong')], ...this.#question.body(columns), []];
    const hint = wrapLine([span('Enter goes on; Esc leaves and changes nothing', 'muted')], columns);
    const caret = { x: box.caret.x, y: above.length + box.caret.y };
    return { rows: filled([...above, ...box.rows, [], ...hint], rows), caret: caret.y < rows ? caret : null };
  }

  key(key: Key): void {
    if (isCancel(key)) return this.#done(null);
    if (key.kind === 'named' && key.name === 'enter') return this.#done(this.#field.draft.text);
    const isBreak =
      key.kind === 'named' && (key.name === 'newline' || key.name === 'up' || key.name === 'down');
    if (!isBreak) this.#field = fieldKey(this.#field, key, []) ?? this.#field;
    this.changed();
  }
}

/** Something that takes a moment; only leaving is possible. */
export class Waiting extends Asking {
  readonly #words: string;

  constructor(words: string) {
    super();
    this.#words = words;
  }

  frame({ rows }: Size): Frame {
    return { rows: filled([[span(this.#words, 'muted')]], rows), caret: null };
  }

  key(): void {
    // What was begun is ended by the step that follows.
  }
}
