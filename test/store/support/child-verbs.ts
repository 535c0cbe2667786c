// A process that does verbs until it is killed, and prints each one's wake once it was acknowledged.
import { openSqliteStore } from '../../../electron/daemon/events/sqlite/open.ts';
import { systemClock } from '../../../electron/node/clock.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';
import { chat, newSession, owner } from './acts.ts';

const [storeDb = '', blobsDir = ''] = process.argv.slice(2);
const ids = createSystemIds(systemClock);
const store = await openSqliteStore({ home: { storeDb, blobsDir }, clock: systemClock, ids });
const session = (await store.summaries())[0]?.session.id ?? (await newSession(store));

for (let round = 0; ; round += 1) {
  const texts = Array.from({ length: 10 }, (_, n) =>
    'x'.repeat(n === 3 && round % 10 === 0 ? 100_000 : 20 * n),
  );
  const admitted = texts.map(async (text) => {
    const { wake } = await store.admitWake({
      session,
      kind: 'channel',
      mode: 'next_step',
      origin: owner,
      route: chat,
      dedupeKey: ids.next('key'),
      text,
    });
    process.stdout.write(`${wake.id}\n`);
  });
  await Promise.all(admitted);
}
