import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { createMemoryDisk, createMemoryStore } from '../../electron/daemon/events/memory/memory-store.ts';
import type { CommitNotice, Store } from '../../electron/daemon/events/port.ts';
import { openSqliteStore } from '../../electron/daemon/events/sqlite/open.ts';
import type { StoreOptions } from '../../electron/daemon/events/store.ts';
import { createTestClock, createTestIds, type TestClock } from '../store/support/clock-ids.ts';

/** A store under test with its clock; `crash` and `reopen` give the next store on the same disk. */
export interface Rig {
  store: Store;
  readonly clock: TestClock;
  /** What the present store announced. */
  readonly notices: CommitNotice[];
  /** Ends the store in order and opens it again. */
  reopen(): Promise<Store>;
  /** As if the process had died: what is not committed is lost. */
  crash(): Promise<Store>;
  close(): Promise<void>;
}

export type OpenRig = (options?: Partial<StoreOptions>) => Promise<Rig>;

interface Opened {
  readonly store: Store;
  kill(): void;
}

async function makeRig(
  open: (options: StoreOptions) => Promise<Opened>,
  given: Partial<StoreOptions>,
): Promise<Rig> {
  const clock = createTestClock();
  const ids = createTestIds();
  const notices: CommitNotice[] = [];
  const start = async (): Promise<Opened> => {
    notices.length = 0;
    const opened = await open({ clock, ids, ...given });
    opened.store.onCommit((notice) => void notices.push(notice));
    return opened;
  };
  let opened = await start();
  const rig: Rig = {
    store: opened.store,
    clock,
    notices,
    reopen: async () => {
      await opened.store.close();
      opened = await start();
      rig.store = opened.store;
      return opened.store;
    },
    crash: async () => {
      opened.kill();
      opened = await start();
      rig.store = opened.store;
      return opened.store;
    },
    close: () => opened.store.close(),
  };
  return rig;
}

/** A memory store on a disk of its own. */
export const openMemoryRig: OpenRig = (given = {}) => {
  const disk = createMemoryDisk();
  return makeRig(async (options) => {
    const store = createMemoryStore({ ...options, disk });
    return { store, kill: () => store.crash() };
  }, given);
};

/** A SQLite store in a folder of its own; a killed one keeps its files open as a dying process would for a moment. */
export const openSqliteRig: OpenRig = async (given = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'kairos-store-'));
  const rig = await makeRig(async (options) => {
    let dead = false;
    const schedule = (flush: () => void): void => void setImmediate(() => dead || flush());
    const home = { storeDb: join(folder, 'store.db'), blobsDir: join(folder, 'blobs') };
    const store = await openSqliteStore({ schedule, ...options, home });
    return { store, kill: () => void (dead = true) };
  }, given);
  const { close } = rig;
  return Object.assign(rig, {
    close: async () => {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  });
};

/** Every store there is. */
const rigs: Readonly<Record<string, OpenRig>> = { memory: openMemoryRig, SQLite: openSqliteRig };

/** One behaviour that every store has to show; its rig is closed afterwards. */
export function behaviour(
  title: string,
  check: (rig: Rig) => Promise<void>,
  options: Partial<StoreOptions> = {},
): void {
  for (const [name, open] of Object.entries(rigs)) {
    test(`${title} (${name})`, async () => {
      const rig = await open(options);
      onTestFinished(() => rig.close());
      await check(rig);
    });
  }
}

/** The code of what a promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'resolved',
    (error: { code?: string }) => error.code ?? String(error),
  );
}
