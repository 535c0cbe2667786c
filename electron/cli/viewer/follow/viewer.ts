import type { Clock, Ids } from '../../../../shared/base/ports.ts';
import { promptViewSchema } from '../../../../shared/domain/prompts.ts';
import {
  eventPageSchema,
  limits,
  messageAnswerSchema,
  type ServerFrame,
  verdictAnswerSchema,
} from '../../../../shared/protocol/bridge.ts';
import { addPage, missingSeqs, olderThan } from '../../../../shared/session/session-view.ts';
import { applyFrame, sessionTopic, withPage } from '../../../../shared/viewing/apply-frame.ts';
import { isPassing } from '../../../../shared/viewing/fault.ts';
import { LiveConnection } from '../../../../shared/viewing/live-connection.ts';
import type { Socket, SocketEvents } from '../../../../shared/viewing/socket.ts';
import type { UnsentMessage } from '../../../../shared/viewing/unsent-message.ts';
import { newUuid } from '../../send/new-uuid.ts';
import type { ViewerBridge } from './viewer-bridge.ts';
import {
  emptyViewer,
  pageOf,
  type VerdictProgress,
  type ViewerActs,
  type ViewerState,
} from './viewer-state.ts';

/** What a viewer is made of. */
export interface ViewerPorts {
  readonly bridge: Pick<ViewerBridge, 'ask' | 'ticket'>;
  readonly open: (events: SocketEvents) => Socket;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly session: string;
}

/** Signs of typing are sent at most this often, ms. */
const typingEveryMs = 2_000;

/** A followed session: its state, kept over every reconnect, and what a viewer may do in it. */
export class Viewer implements ViewerActs {
  readonly #ports: ViewerPorts;
  readonly #live: LiveConnection;
  readonly #listeners = new Set<() => void>();
  readonly #reading = new Set<string>();
  #state: ViewerState;
  #isSending = false;
  #isFilling = false;
  #typedAt = Number.NEGATIVE_INFINITY;

  constructor(ports: ViewerPorts) {
    this.#ports = ports;
    this.#state = emptyViewer(ports.session);
    this.#live = new LiveConnection({
      clock: ports.clock,
      client: 'terminal',
      open: ports.open,
      ticket: () => ports.bridge.ticket(),
      onLink: (link) => {
        this.#set({ link });
        if (link.kind === 'live') void this.#sendWaiting();
      },
      onWelcome: ({ device }) => this.#set({ device }),
      onFrame: (frame) => this.#take(frame),
    });
  }

  get state(): ViewerState {
    return this.#state;
  }

  /** Calls `listener` after every change of the state, until the result is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(): void {
    this.#live.follow('home', undefined);
    this.#live.follow(sessionTopic(this.#ports.session), undefined);
    this.#live.start();
  }

  /** Tries to reconnect at once: something about the daemon changed. */
  nudge(): void {
    if (this.#state.link.kind === 'lost') this.#live.nudge();
  }

  close(): void {
    this.#live.close();
    this.#listeners.clear();
  }

  send(text: string): void {
    const { ids, clock, session } = this.#ports;
    const message: UnsentMessage = {
      uuid: newUuid(ids),
      session,
      text,
      at: clock.now(),
      stored: false,
      fault: null,
    };
    this.#set({ unsent: [...this.#state.unsent, message] });
    void this.#sendWaiting();
  }

  decide(prompt: string, verdict: Parameters<ViewerActs['decide']>[1]): void {
    if (this.#state.verdicts[prompt]?.kind === 'sending') return;
    this.#note(prompt, { kind: 'sending' });
    const path = `/prompts/${encodeURIComponent(prompt)}/verdict`;
    void this.#ports.bridge
      .ask({ method: 'POST', path, body: { verdict } }, verdictAnswerSchema)
      .then((asked) => {
        this.#note(
          prompt,
          asked.ok ? { kind: 'answered', answer: asked.value } : { kind: 'failed', fault: asked.fault },
        );
      });
  }

  readWhole(prompt: string): void {
    if (this.#reading.has(prompt)) return;
    this.#reading.add(prompt);
    const path = `/prompts/${encodeURIComponent(prompt)}`;
    void this.#ports.bridge.ask({ method: 'GET', path }, promptViewSchema).then((asked) => {
      this.#reading.delete(prompt);
      if (!asked.ok) return this.#note(prompt, { kind: 'failed', fault: asked.fault });
      this.#set({ wholePrompts: { ...this.#state.wholePrompts, [prompt]: asked.value } });
    });
  }

  typing(): void {
    const now = this.#ports.clock.monotonic();
    if (now - this.#typedAt < typingEveryMs) return;
    this.#typedAt = now;
    this.#live.tellTyping(this.#ports.session);
  }

  loadOlder(): void {
    const page = pageOf(this.#state);
    const before = page === undefined ? null : olderThan(page);
    if (before === null || this.#state.older.kind === 'loading' || this.#state.link.kind !== 'live') return;
    this.#set({ older: { kind: 'loading', since: this.#ports.clock.monotonic() } });
    void this.#fetchPage(before, limits.page).then((fault) => {
      this.#set({ older: fault === null ? { kind: 'none' } : { kind: 'failed', fault } });
    });
  }

  async #fetchPage(before: number, limit: number) {
    const { bridge, session } = this.#ports;
    const path = `/sessions/${encodeURIComponent(session)}/events?before=${before}&limit=${limit}`;
    const asked = await bridge.ask({ method: 'GET', path }, eventPageSchema);
    if (!asked.ok) return asked.fault;
    const page = pageOf(this.#state);
    if (page !== undefined) this.#replace(withPage(this.#state, session, addPage(page, asked.value.events)));
    return null;
  }

  /** Fetches events that were too large for a frame. */
  async #fillHoles(): Promise<void> {
    if (this.#isFilling) return;
    this.#isFilling = true;
    for (;;) {
      const page = pageOf(this.#state);
      const missing = page === undefined ? undefined : missingSeqs(page)[0];
      if (missing === undefined || (await this.#fetchPage(missing + 1, 1)) !== null) break;
    }
    this.#isFilling = false;
  }

  #take(frame: ServerFrame): void {
    const next = applyFrame(this.#state, frame);
    if (next === 'unreadable') {
      this.#live.close();
      return this.#set({ link: { kind: 'outdated' } });
    }
    this.#replace(next);
    if (frame.type === 'snapshot' || frame.type === 'large_event') void this.#fillHoles();
    const isOurs = 'topic' in frame && frame.topic === sessionTopic(this.#ports.session);
    if (!isOurs) return;
    if (frame.type === 'error')
      this.#set(frame.code === 'not_found' ? { isGone: true } : { problem: frame.message });
    else if (this.#state.problem !== null) this.#set({ problem: null });
  }

  async #sendWaiting(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (;;) {
      const next = this.#state.unsent.find(({ stored, fault }) => !stored && fault === null);
      if (next === undefined || !(await this.#sendOne(next))) break;
    }
    this.#isSending = false;
  }

  /** False when nobody answered: it waits for the connection. A refusal waits for the person, and the next one goes on. */
  async #sendOne({ uuid, session, text }: UnsentMessage): Promise<boolean> {
    const body = { text, uuid, session };
    const asked = await this.#ports.bridge.ask(
      { method: 'POST', path: '/messages', body },
      messageAnswerSchema,
    );
    if (asked.ok) {
      const hasCome = pageOf(this.#state)?.items.some(
        (item) => item.kind === 'message_in' && item.message === uuid,
      );
      if (hasCome === true)
        this.#set({ unsent: this.#state.unsent.filter((message) => message.uuid !== uuid) });
      else this.#changeUnsent(uuid, { stored: true });
      return true;
    }
    if (isPassing(asked.fault)) return false;
    this.#changeUnsent(uuid, { fault: asked.fault });
    return true;
  }

  #changeUnsent(uuid: string, change: Partial<UnsentMessage>): void {
    this.#set({
      unsent: this.#state.unsent.map((message) =>
        message.uuid === uuid ? { ...message, ...change } : message,
      ),
    });
  }

  #note(prompt: string, progress: VerdictProgress): void {
    this.#set({ verdicts: { ...this.#state.verdicts, [prompt]: progress } });
  }

  #set(change: Partial<ViewerState>): void {
    this.#replace({ ...this.#state, ...change });
  }

  #replace(state: ViewerState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
