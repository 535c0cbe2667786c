import { interruptTurn } from './interrupt.ts';
import { interruptTasks } from './task-ends.ts';
import type { Tx } from './tx.ts';

/** Ends the running turn, and where none is open the background tasks (those of a turn end with its lease); false when nothing ran. */
export function interrupt(tx: Tx, session: string, reason: string): boolean {
  const draft = tx.session(session);
  if (!draft.row.turn) return interruptTasks(tx, draft);
  interruptTurn(tx, draft, reason);
  return true;
}
