import type { Lease } from '../../../shared/protocol/worker-link.ts';
import { offlineChoice } from '../../../shared/domain/models.ts';
import type { Store } from '../events/port.ts';

/** What a lease is made from. */
export interface LeasePorts {
  readonly store: Store;
  /** Makes the session's scratch folder and gives its path. */
  readonly scratch: (session: string) => Promise<string>;
}

/** Everything a worker needs to run a session, as its rows are now; null when the session is gone. */
export async function makeLease(ports: LeasePorts, session: string, lease: string): Promise<Lease | null> {
  const { store, scratch } = ports;
  const folder = await scratch(session);
  const row = await store.session(session);
  if (!row) return null;
  const context = row.context === null ? null : await store.blob(row.context);
  const { name, dir, mode, model, frame, brief, compaction, memo } = row;
  const pinned = frame === null ? null : await store.blob(frame);
  return {
    lease,
    session,
    name,
    dir,
    mode,
    model,
    scratch: folder,
    frame,
    context: context ? Buffer.from(context).toString('base64') : null,
    turnSeq: row.turn ? row.turn.seq - 1 : row.seq,
    environment: null,
    secrets: {},
    models: [model === 'offline' ? offlineChoice : { ...offlineChoice, ref: model }],
    frameContent: pinned === null ? null : Buffer.from(pinned).toString('utf8'),
    brief,
    compaction,
    memo,
  };
}
