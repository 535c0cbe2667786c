import type { Draft } from '../../../shared/protocol/bridge.ts';
import type { DraftPiece, LiveFacts } from '../../../shared/session/live.ts';
import { addDraftPiece } from '../../../shared/session/session-view-draft.ts';

const asleep: LiveFacts = { pid: null, leased: false, doing: null, background: 0 };

/** What is known of running sessions beyond the store, in memory and announced; gone with the worker. */
export class LiveBoard {
  readonly #live = new Map<string, LiveFacts>();
  readonly #drafts = new Map<string, Draft>();
  /** The step of a session that ended last: its worker may still be sending. */
  readonly #over = new Map<string, string>();
  readonly #liveListeners = new Set<(session: string) => void>();
  readonly #draftListeners = new Set<(piece: DraftPiece) => void>();

  live(session: string): LiveFacts {
    return this.#live.get(session) ?? asleep;
  }

  draft(session: string): Draft | null {
    return this.#drafts.get(session) ?? null;
  }

  onLive(listener: (session: string) => void): () => void {
    this.#liveListeners.add(listener);
    return () => this.#liveListeners.delete(listener);
  }

  onDraft(listener: (piece: DraftPiece) => void): () => void {
    this.#draftListeners.add(listener);
    return () => this.#draftListeners.delete(listener);
  }

  /** Replaces some facts of a session; `null` = no worker has it any more, and nobody makes its draft. */
  set(session: string, change: Partial<LiveFacts> | null): void {
    if (change === null) {
      this.#live.delete(session);
      this.#drafts.delete(session);
      this.#over.delete(session);
    } else {
      this.#live.set(session, { ...this.live(session), ...change });
    }
    for (const listener of this.#liveListeners) listener(session);
  }

  /** Adds a piece of the running reply; one that leaves a gap, or comes after its step is over, is dropped. */
  addDraft(piece: DraftPiece): void {
    const { session, step } = piece;
    if (this.#over.get(session) === step) return;
    const change = addDraftPiece(this.draft(session), piece);
    if (change.kind === 'gap') return;
    this.#drafts.set(session, change.draft);
    for (const listener of this.#draftListeners) listener(piece);
  }

  /** The step was replied to or abandoned: its draft is over. */
  endDraft(session: string, step: string): void {
    if (this.#live.has(session)) this.#over.set(session, step);
    if (this.#drafts.get(session)?.step === step) this.#drafts.delete(session);
  }
}
