import type { Ids } from '../../../../shared/base/ports.ts';
import type { Boundary } from '../../../../shared/domain/boundaries.ts';
import type { EffectClass } from '../../../../shared/domain/effects.ts';
import { eventVersion, type NewEvent, type StoredEvent } from '../../../../shared/domain/events.ts';
import { blobRefs, events, meta, sessions } from '../rows/tables.ts';
import type { RowStore } from '../rows/table.ts';
import { notFound } from './rejections.ts';
import { runTimes } from './run-at.ts';
import { SessionDraft } from './session-draft.ts';

/** What every verb of one store shares. */
export interface TxSetting {
  readonly rows: RowStore;
  readonly ids: Ids;
  /** What a delivery to this surface can promise. */
  readonly deliveryClass: (surface: string) => EffectClass;
}

/** What one verb changed, for the commit notice. */
export interface VerbChanges {
  readonly events: readonly StoredEvent[];
  readonly sessions: ReadonlySet<string>;
  readonly prompts: ReadonlySet<string>;
  readonly work: boolean;
  readonly meta: boolean;
  readonly boundaries: ReadonlySet<Boundary>;
}

/** Everything a verb works with: rows, one instant, ids, and the collector of what it changes. */
export class Tx {
  readonly rows: RowStore;
  readonly ids: Ids;
  readonly now: number;
  readonly deliveryClass: (surface: string) => EffectClass;
  readonly #drafts = new Map<string, SessionDraft>();
  readonly #events: StoredEvent[] = [];
  readonly #prompts = new Set<string>();
  readonly #boundaries = new Set<Boundary>();
  #work = false;
  #meta = false;
  #pausedAll: boolean | undefined;

  constructor(setting: TxSetting, now: number) {
    this.rows = setting.rows;
    this.ids = setting.ids;
    this.deliveryClass = setting.deliveryClass;
    this.now = now;
  }

  /** The session by id, archived or not; throws `not_found`. */
  anySession(id: string): SessionDraft {
    const known = this.#drafts.get(id);
    if (known) return known;
    const row = this.rows.get(sessions, id);
    if (!row) throw notFound('session', id);
    const draft = new SessionDraft(row);
    this.#drafts.set(id, draft);
    return draft;
  }

  /** The session by id; throws `not_found` when it is unknown or archived. */
  session(id: string): SessionDraft {
    const draft = this.anySession(id);
    if (draft.row.archivedAt !== null) throw notFound('session', id);
    return draft;
  }

  /** Appends a fact to the session's log. */
  append(draft: SessionDraft, event: NewEvent): StoredEvent {
    const place = { session: draft.id, seq: draft.row.seq + 1, at: this.now, v: eventVersion(event.type) };
    const { type, body, origin = null } = event;
    const id = this.rows.insert(events, { id: 0, ...place, type, origin, body });
    draft.set({ seq: place.seq });
    const stored = { ...event, ...place, id } as StoredEvent;
    this.#events.push(stored);
    return stored;
  }

  get pausedAll(): boolean {
    this.#pausedAll ??= this.rows.get(meta, 'paused_all')?.value === '1';
    return this.#pausedAll;
  }

  metaChanged(): void {
    this.#meta = true;
    this.#pausedAll = undefined;
  }

  promptChanged(id: string): void {
    this.#prompts.add(id);
  }

  workChanged(): void {
    this.#work = true;
  }

  /** This commit is also that crash point. */
  passes(boundary: Boundary): void {
    this.#boundaries.add(boundary);
  }

  /** Keeps the blob for as long as `owner` needs it. */
  refer(hash: string, owner: string): void {
    if (!this.rows.get(blobRefs, hash, owner)) this.rows.insert(blobRefs, { hash, owner });
  }

  /** Writes the changed sessions with the time from which each may run. */
  finish(): VerbChanges {
    const changed = new Set<string>();
    for (const draft of this.#drafts.values()) {
      const { runAt, sleepingUntil } = draft.staysDue(this) ? draft.row : runTimes(this, draft.row);
      if (runAt !== draft.row.runAt || sleepingUntil !== draft.row.sleepingUntil) {
        draft.set({ runAt, sleepingUntil });
      }
      const patch = draft.changes();
      if (!patch) continue;
      this.rows.update(sessions, [draft.id], patch);
      changed.add(draft.id);
    }
    return {
      events: this.#events,
      sessions: changed,
      prompts: this.#prompts,
      work: this.#work,
      meta: this.#meta,
      boundaries: this.#boundaries,
    };
  }
}
