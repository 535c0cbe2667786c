import type { Clock } from '../../../../shared/base/ports.ts';
import type { PromptView } from '../../../../shared/domain/prompts.ts';
import type { SessionItem } from '../../../../shared/session/session-view-items.ts';
import type { SessionPageView } from '../../../../shared/session/session-view.ts';
import { openPrompts } from '../../../../shared/viewing/open-prompts.ts';
import { turnsOf, visibleItems } from '../../../../shared/viewing/visible-items.ts';
import { armingMs } from '../conversation/arming.ts';
import { linkSpan } from '../conversation/header.ts';
import type { ItemContext } from '../conversation/item-context.ts';
import { itemLines } from '../conversation/item-lines.ts';
import { wholePrompt } from '../conversation/layout.ts';
import { pageOf, type ViewerActs, type ViewerState } from '../follow/viewer-state.ts';
import { foreignSpan, type Line, span } from '../text/line.ts';
import { wrapLine } from '../text/wrap-line.ts';
import { promptAsked, verdictOf } from './plain-lines.ts';

/** Items of what was said before that are printed on opening. */
const mostFirst = 20;
/** Own messages of which the echo is known. */
const mostEchoes = 50;

/** What a plain view works with. `print` appends lines; `hidesEcho`: what was typed stands on the terminal already. */
export interface PlainPorts {
  readonly viewer: ViewerActs & { readonly state: ViewerState };
  readonly clock: Clock;
  readonly columns: number;
  readonly hidesEcho: boolean;
  print(lines: readonly Line[]): void;
}

/** A conversation that is only ever appended to: each thing once, when it is final. */
export class PlainView {
  readonly #ports: PlainPorts;
  #printedSeq: number | null = null;
  #typed: readonly string[] = [];
  #link: ViewerState['link']['kind'] = 'connecting';
  readonly #asked = new Map<string, number>();
  readonly #toldFaults = new Set<string>();

  constructor(ports: PlainPorts) {
    this.#ports = ports;
  }

  /** Looks at the state after a change, and prints what is new. */
  look(): void {
    const { state } = this.#ports.viewer;
    this.#lookAtLink(state);
    this.#lookAtUnsent(state);
    const page = pageOf(state);
    if (page === undefined) return;
    if (this.#printedSeq === null) this.#first(page);
    else this.#more(page, this.#printedSeq);
    this.#lookAtPrompts(state, page);
    this.#lookAtVerdicts(state);
  }

  /** A line that was typed: an answer to what was asked last, else a message. */
  line(text: string): void {
    if (text.trim() === '') return;
    const { viewer, clock } = this.#ports;
    const [prompt] = openPrompts(viewer.state, viewer.state.session);
    const askedAt = prompt === undefined ? undefined : this.#asked.get(prompt.id);
    const verdict = prompt === undefined || askedAt === undefined ? null : verdictOf(prompt, text);
    if (prompt === undefined || askedAt === undefined || verdict === null) {
      viewer.send(text);
      const uuid = viewer.state.unsent.at(-1)?.uuid;
      if (uuid !== undefined) this.#typed = [...this.#typed, uuid].slice(-mostEchoes);
      return;
    }
    // What was typed for something else must not answer what came up meanwhile.
    if (clock.monotonic() - askedAt < armingMs)
      return this.#say('That came too early to be an answer. Type it again.', 'asking');
    viewer.decide(prompt.id, verdict);
  }

  #context(page: SessionPageView): ItemContext {
    const { viewer, columns, clock } = this.#ports;
    const turns = turnsOf(page.items, false);
    return {
      columns,
      isDetailed: false,
      device: viewer.state.device,
      now: clock.now(),
      turn: (id) => turns.get(id),
    };
  }

  #first(page: SessionPageView): void {
    const name = page.session.name ?? page.session.id;
    const context = this.#context(page);
    const items = visibleItems(page.items, false);
    const shown = items.slice(-mostFirst);
    this.#ports.print([
      [foreignSpan(`${name} in ${page.session.dir}`, 'strong')],
      ...(items.length > shown.length
        ? [[span('What was said before is not repeated here: kairos export', 'muted')]]
        : []),
      ...shown.flatMap((item) => itemLines(item, context)),
      ...wrapLine(
        [span('Type a message and Enter. Ctrl+C leaves, the agent goes on.', 'muted')],
        this.#ports.columns,
      ),
    ]);
    this.#printedSeq = page.items.at(-1)?.seq ?? 0;
  }

  #more(page: SessionPageView, printed: number): void {
    const fresh = visibleItems(page.items, false).filter(({ seq }) => seq > printed);
    const context = this.#context(page);
    const lines = fresh.flatMap((item) => this.#linesOf(item, page, context));
    this.#printedSeq = Math.max(printed, page.items.at(-1)?.seq ?? 0);
    if (lines.length > 0) this.#ports.print(lines);
  }

  /** Calls and prompts are printed when they are over; the end of a turn tells what was done in it. */
  #linesOf(item: SessionItem, page: SessionPageView, context: ItemContext): Line[] {
    switch (item.kind) {
      case 'calls':
      case 'prompt':
        return [];
      case 'message_in':
        return this.#ports.hidesEcho && this.#typed.includes(item.message)
          ? []
          : itemLines({ ...item, turn: '', settledBy: 'reply' }, context);
      case 'turn_end': {
        const calls = page.items.findLast((other) => other.kind === 'calls' && other.turn === item.turn);
        return [...(calls === undefined ? [] : itemLines(calls, context)), ...itemLines(item, context)];
      }
      default:
        return itemLines(item, context);
    }
  }

  #lookAtPrompts(state: ViewerState, page: SessionPageView): void {
    for (const id of this.#asked.keys()) {
      const item = page.items.findLast((other) => other.kind === 'prompt' && other.prompt === id);
      if (item?.kind !== 'prompt' || item.state === 'open') continue;
      this.#asked.delete(id);
      this.#ports.print(itemLines(item, this.#context(page)));
    }
    const [first, ...others] = openPrompts(state, state.session);
    if (first === undefined || this.#asked.has(first.id)) return;
    const { prompt, isPartial } = wholePrompt(first, state.wholePrompts[first.id]);
    if (isPartial) this.#ports.viewer.readWhole(first.id);
    else this.#ask(prompt, others.length);
  }

  #ask(prompt: PromptView, others: number): void {
    const { clock, columns } = this.#ports;
    this.#asked.set(prompt.id, clock.monotonic());
    this.#ports.print(promptAsked(prompt, { now: clock.now(), columns, others }));
  }

  #lookAtLink({ link }: ViewerState): void {
    const before = this.#link;
    this.#link = link.kind;
    if (before === link.kind || link.kind === 'connecting') return;
    const words = link.kind === 'live' ? span('Connected again.', 'muted') : linkSpan(link);
    if (words !== null && !(link.kind === 'live' && before === 'connecting')) this.#ports.print([[words]]);
  }

  #lookAtUnsent({ unsent }: ViewerState): void {
    for (const { uuid, fault } of unsent) {
      if (fault === null || this.#toldFaults.has(uuid)) continue;
      this.#toldFaults.add(uuid);
      this.#say(`Not sent: ${fault.message} ${fault.next}`, 'bad');
    }
  }

  #lookAtVerdicts({ verdicts }: ViewerState): void {
    for (const [prompt, progress] of Object.entries(verdicts)) {
      const words =
        progress.kind === 'failed'
          ? `Your answer did not arrive, nothing was decided: ${progress.fault.message}`
          : progress.kind === 'answered' && progress.answer.outcome !== 'accepted'
            ? progress.answer.message
            : null;
      const key = `${prompt} ${words ?? ''}`;
      if (words === null || this.#toldFaults.has(key)) continue;
      this.#toldFaults.add(key);
      this.#say(words, 'bad');
    }
  }

  #say(text: string, style: 'asking' | 'bad'): void {
    this.#ports.print(wrapLine([foreignSpan(text, style)], this.#ports.columns));
  }
}
