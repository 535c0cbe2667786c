import type { OpenStep, OpenTurn } from '../../../../shared/domain/steps.ts';
import type { SessionRecord } from '../rows/records.ts';
import { stale } from './rejections.ts';
import { isPaused, type RunSource } from './run-at.ts';

/** A session as a verb changes it; what changed is written once, when the verb ends. */
export class SessionDraft {
  row: SessionRecord;
  /** Pending texts were taken or settled, so that the earliest one may be another. */
  textsTaken = false;
  readonly #before: SessionRecord;
  readonly #changed = new Set<keyof SessionRecord>();

  constructor(row: SessionRecord) {
    this.row = row;
    this.#before = row;
  }

  get id(): string {
    return this.row.id;
  }

  /** The open turn; throws `stale` when there is none. */
  get turn(): OpenTurn {
    if (!this.row.turn) throw stale('The session has no open turn.');
    return this.row.turn;
  }

  /** The open step; throws `stale` when there is none. */
  get step(): OpenStep {
    if (!this.row.step) throw stale('The session has no open step.');
    return this.row.step;
  }

  set(patch: Partial<SessionRecord>): void {
    this.row = { ...this.row, ...patch };
    for (const name of Object.keys(patch)) this.#changed.add(name as keyof SessionRecord);
  }

  /** True when texts were due before and none was taken: nothing has to be looked up to know that they still are. */
  staysDue(source: RunSource): boolean {
    const { runAt, turn, parked, archivedAt, pendingTexts } = this.row;
    if (this.textsTaken || pendingTexts === 0 || runAt === null || runAt > source.now) return false;
    return (
      turn === null &&
      this.#before.turn === null &&
      !parked &&
      archivedAt === null &&
      !isPaused(source, this.row)
    );
  }

  /** The columns that changed, or null when none did. */
  changes(): Partial<SessionRecord> | null {
    if (this.#changed.size === 0) return null;
    return Object.fromEntries([...this.#changed].map((name) => [name, this.row[name]]));
  }
}
