import { Conversation } from '../../../../electron/cli/viewer/conversation/conversation.ts';
import { emptyViewer, type ViewerState } from '../../../../electron/cli/viewer/follow/viewer-state.ts';
import type { Key, KeyName } from '../../../../electron/cli/viewer/terminal/key.ts';
import { lineColumns, lineText } from '../../../../electron/cli/viewer/text/line.ts';
import type { AnyEvent } from '../../../../shared/domain/events.ts';
import type { PromptView, Verdict } from '../../../../shared/domain/prompts.ts';
import type { ServerFrame, SessionSnapshot, SessionView } from '../../../../shared/protocol/bridge.ts';
import { applyFrame } from '../../../../shared/viewing/apply-frame.ts';
import { FakeClock } from '../../../renderer/support/fake-clock.ts';
import { home, session, snapshot } from '../../../renderer/support/samples.ts';

/** What the person did, as the viewer was told. */
export type Act =
  | { readonly act: 'send'; readonly text: string }
  | { readonly act: 'decide'; readonly prompt: string; readonly verdict: Verdict }
  | { readonly act: 'older' | 'leave' }
  | { readonly act: 'whole'; readonly prompt: string }
  | { readonly act: 'copy'; readonly text: string };

/** A conversation without a terminal and without a daemon: frames and keys go in, pictures and acts come out. */
export class ConversationRig {
  readonly clock = new FakeClock();
  readonly acts: Act[] = [];
  state: ViewerState = { ...emptyViewer('s'), device: 'dev_me', link: { kind: 'live' } };
  size: { columns: number; rows: number };
  readonly conversation: Conversation;
  readonly #listeners = new Set<() => void>();

  constructor(columns = 60, rows = 20) {
    this.size = { columns, rows };
    this.clock.pass(1_000_000);
    const stateNow = (): ViewerState => this.state;
    this.conversation = new Conversation({
      viewer: {
        get state() {
          return stateNow();
        },
        subscribe: (listener) => {
          this.#listeners.add(listener);
          return () => this.#listeners.delete(listener);
        },
        send: (text) => void this.acts.push({ act: 'send', text }),
        decide: (prompt, verdict) => void this.acts.push({ act: 'decide', prompt, verdict }),
        loadOlder: () => void this.acts.push({ act: 'older' }),
        readWhole: (prompt) => void this.acts.push({ act: 'whole', prompt }),
        typing: () => undefined,
      },
      clock: this.clock,
      leave: () => void this.acts.push({ act: 'leave' }),
      copy: (text) => void this.acts.push({ act: 'copy', text }),
    });
  }

  set(change: Partial<ViewerState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.#listeners) listener();
  }

  frame(frame: ServerFrame): void {
    const next = applyFrame(this.state, frame);
    if (next === 'unreadable') throw new Error('unreadable frame');
    this.set(next);
  }

  /** Opens the session with these events. */
  open(
    events: readonly AnyEvent[],
    change: Partial<SessionSnapshot> & { readonly view?: Partial<SessionView> } = {},
  ): void {
    const { view: of, ...rest } = change;
    const view = snapshot(events, { session: session('s', { name: 'payments', ...of }), ...rest });
    this.frame({
      type: 'snapshot',
      topic: 'home',
      place: { epoch: 'e', seq: 1 },
      view: home({ usage: { dayMicroUsd: 610_000, limitMicroUsd: 5_000_000 } }),
    });
    this.frame({
      type: 'snapshot',
      topic: 'session:s',
      place: { epoch: '', seq: events.at(-1)?.seq ?? 0 },
      view,
    });
  }

  event(event: AnyEvent): void {
    this.frame({ type: 'event', topic: 'session:s', place: { epoch: '', seq: event.seq }, event });
  }

  prompt(prompt: PromptView): void {
    this.frame({ type: 'prompt', topic: 'session:s', prompt });
  }

  key(...keys: readonly Key[]): void {
    for (const key of keys) {
      this.picture();
      this.conversation.key(key);
    }
  }

  type(text: string): void {
    this.key({ kind: 'text', text });
  }

  press(...names: readonly KeyName[]): void {
    this.key(...names.map((name) => ({ kind: 'named', name, word: false, shift: false }) as const));
  }

  ctrl(letter: string): void {
    this.key({ kind: 'ctrl', letter });
  }

  /** The rows as text, without those that are empty at their end. */
  picture(): string[] {
    const { rows } = this.conversation.frame(this.size);
    const wide = rows.filter((row) => lineColumns(row) > this.size.columns);
    if (wide.length > 0 || rows.length !== this.size.rows)
      throw new Error(`does not fit: ${rows.length} rows, ${wide.map(lineText).join(' / ')}`);
    return rows.map((row) => lineText(row).trimEnd());
  }

  caret(): { x: number; y: number } | null {
    return this.conversation.frame(this.size).caret;
  }
}
