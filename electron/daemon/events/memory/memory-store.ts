import { newestSchema } from '../rows/newest-schema.ts';
import { KairosError } from '../../../../shared/base/errors.ts';
import { createMemoryBlobs, type BlobShelf } from '../blobs/memory-blobs.ts';
import type { Store } from '../port.ts';
import { createMemoryShelves, MemoryRows, type MemoryShelves } from '../rows/memory-rows.ts';
import { meta } from '../rows/tables.ts';
import { createStore, type StoreOptions } from '../store.ts';

/** A disk in memory: holds exactly what was committed, survives the stores that are opened on it, and can be full. */
export interface MemoryDisk extends MemoryShelves {
  readonly blobs: BlobShelf;
  /** True: commits are refused with `disk_full`. */
  full: boolean;
}

/** A store in memory for tests and the simulation. */
export interface MemoryStore extends Store {
  /** As if the process had died: what was called and not committed is lost, and nothing is ever answered again. */
  crash(): void;
}

/** An empty disk. */
export function createMemoryDisk(): MemoryDisk {
  return { ...createMemoryShelves(), blobs: new Map(), full: false };
}

/** A store with the semantics and the timing of the SQLite store; a new one on the same disk sees what was committed. */
export function createMemoryStore(options: StoreOptions & { readonly disk?: MemoryDisk }): MemoryStore {
  const { disk = createMemoryDisk(), clock, ids } = options;
  const rows = new MemoryRows(disk);
  if (!rows.get(meta, 'code_secret')) rows.insert(meta, { key: 'code_secret', value: ids.random(32) });
  rows.commit();
  const commit = (): void => {
    if (disk.full) throw new KairosError('disk_full', 'The disk is full.', { next: 'Free some space.' });
    rows.commit();
  };
  const { store, queue } = createStore(
    {
      rows,
      transaction: {
        begin: () => rows.begin(),
        commit,
        rollback: () => rows.rollback(),
        mark: () => rows.mark(),
        release: () => rows.release(),
        rollbackTo: () => rows.rollbackTo(),
      },
      blobs: createMemoryBlobs(disk.blobs, clock),
      storageFault: (error) => (error instanceof KairosError ? error : null),
      committed: () => undefined,
      health: () => ({ schema: newestSchema, databaseBytes: 0, walBytes: 0 }),
      close: async () => undefined,
    },
    options,
  );
  return { ...store, crash: () => queue.crash() };
}
