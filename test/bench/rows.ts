import type { Row } from './row.ts';
import { approvalRow } from './rows/approval.ts';
import { burstRow } from './rows/burst.ts';
import { busyRow } from './rows/busy.ts';
import { historyRow } from './rows/history.ts';
import { idleRow } from './rows/idle.ts';
import { loopRow } from './rows/loop.ts';
import { modelRow } from './rows/model.ts';
import { sizeRow } from './rows/size.ts';
import { sleepersRow } from './rows/sleepers.ts';
import { startRow } from './rows/start.ts';
import { storeRow } from './rows/store.ts';
import { turnsRow } from './rows/turns.ts';
import { windowRow } from './rows/window.ts';

/** Every row that exists in this version, the quick ones first. */
export const rows: readonly Row[] = [
  sizeRow,
  startRow,
  turnsRow,
  modelRow,
  approvalRow,
  historyRow,
  windowRow,
  storeRow,
  burstRow,
  busyRow,
  loopRow,
  sleepersRow,
  idleRow,
];
