import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../../electron/daemon/events/sqlite/open.ts';
import { systemClock } from '../../../electron/node/clock.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';
import { makeSession, receive } from '../support/history.ts';
import { makeBridge } from '../support/make-bridge.ts';

// A bridge over a new store on disk in a process of its own; prints where it is and ends with its stdin.
const folder = mkdtempSync(join(tmpdir(), 'kairos-bench-bridge-'));
const home = { storeDb: join(folder, 'store.db'), blobsDir: join(folder, 'blobs') };
const onDisk = await openSqliteStore({ home, clock: systemClock, ids: createSystemIds(systemClock) });
const { port, bridge, store } = await makeBridge({ store: onDisk }, () => undefined);
const [sessions, events] = process.argv.slice(2).map(Number);
await Promise.all(Array.from({ length: sessions ?? 0 }, (_, count) => makeSession(store, `asleep-${count}`)));
const long = await makeSession(store, 'long');
for (let stored = 0; stored < (events ?? 0); stored += 500) {
  await Promise.all(
    Array.from({ length: 500 }, (_, count) => receive(store, long.id, `long-${stored + count}`)),
  );
}
process.stdout.write(`${JSON.stringify({ port, token: bridge.ownerToken, long: long.id })}\n`);
process.stdin.resume();
process.stdin.on('end', () => {
  rmSync(folder, { recursive: true });
  process.exit(0);
});
