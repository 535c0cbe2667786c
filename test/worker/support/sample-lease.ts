import { offlineChoice } from '../../../shared/domain/models.ts';
import type { Lease } from '../../../shared/protocol/worker-link.ts';

/** A lease on session `ses_1` with the offline engine, working in `dir`. */
export function sampleLease(dir: string, more: Partial<Lease> = {}): Lease {
  return {
    lease: 'lse_1',
    session: 'ses_1',
    name: null,
    dir,
    mode: 'default',
    model: 'offline',
    scratch: dir,
    frame: null,
    context: null,
    turnSeq: 0,
    environment: { PATH: process.env.PATH ?? '' },
    secrets: {},
    models: [offlineChoice],
    frameContent: null,
    brief: true,
    compaction: null,
    memo: null,
    ...more,
  };
}
