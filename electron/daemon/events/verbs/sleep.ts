import type { EffectRow } from '../rows.ts';
import { storeCallEnd } from './call-end.ts';
import { earliestText, runningTexts } from './run-at.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Tx } from './tx.ts';

/** Why a sleeping call wakes now, as its output says it; null while it sleeps on. */
export function wakesSleep(tx: Tx, draft: SessionDraft, call: EffectRow): string | null {
  const choice = runningTexts(tx, draft.row);
  const text = earliestText(tx.rows, draft.row, choice);
  if (text !== null && text <= tx.now) return 'a message';
  const alarm = call.until !== null && call.until <= tx.now && choice === 'any';
  return alarm ? 'the alarm' : null;
}

/** Ends a sleeping call; its alarm is cancelled with it. */
export function endSleep(tx: Tx, draft: SessionDraft, call: EffectRow, reason: string): void {
  const planned = seconds((call.until ?? tx.now) - call.updatedAt);
  const slept = Math.min(planned, seconds(tx.now - call.updatedAt));
  const output = `Slept ${slept} s of ${planned} s. Woken by: ${reason}.`;
  storeCallEnd(tx, draft, call, { outcome: 'ok', output });
}

function seconds(ms: number): number {
  return Math.max(0, Math.round(ms / 1000));
}
