import type { DraftFrame } from './session-view-draft.ts';

/** What is known of a session beyond its rows; in memory only, and changing while a worker runs. */
export interface LiveFacts {
  /** Of its worker's process; null while none runs. */
  readonly pid: number | null;
  /** A worker may run it now. */
  readonly leased: boolean;
  /** Name of the tool, or other activity, for people. */
  readonly doing: string | null;
  /** Background tasks that hold its worker. */
  readonly background: number;
}

/** A piece of the reply that a session is making. */
export interface DraftPiece extends DraftFrame {
  readonly session: string;
}
