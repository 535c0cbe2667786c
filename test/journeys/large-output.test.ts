import Database from 'better-sqlite3';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withKairos } from '../support/real/kairos.ts';
import { bodies, settle } from './support/conversation.ts';

function sizeOf(home: string, name: string): number {
  return statSync(join(home, name), { throwIfNoEntry: false })?.size ?? 0;
}

describe('Large things', () => {
  it('11 MB of output stay out of the database: the log has an excerpt and where the whole is', () =>
    withKairos({}, async (kairos) => {
      const sent = await settle(kairos, 'run head -c 11000000 /dev/zero | tr "\\0" x', '--session', 'large');
      const log = await kairos.exported('large');
      const [result] = bodies(log, 'call.ended').map((body) => body.result);
      const largest = Math.max(...log.map((event) => JSON.stringify(event).length));
      await kairos.stopDaemon();
      const spilled = readdirSync(join(kairos.home, 'scratch', sent.session), {
        withFileTypes: true,
        recursive: true,
      })
        .filter((entry) => entry.isFile())
        .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
      expect({
        outcome: result.outcome,
        small: largest < 80_000,
        database: sizeOf(kairos.home, 'store.db') < 2_000_000,
        spilled: Math.max(...spilled),
      }).toEqual({
        outcome: 'ok',
        small: true,
        database: true,
        spilled: 11_000_000,
      });
    }));

  it(
    'the WAL stays bounded while a reader holds an old snapshot, and shrinks after it',
    { timeout: 120_000 },
    () =>
      withKairos({}, async (kairos) => {
        await settle(kairos, 'help', '--session', 'wal');
        const reader = new Database(join(kairos.home, 'store.db'), { readonly: true });
        reader.exec('BEGIN');
        reader.prepare('SELECT count(*) FROM sqlite_master').get();
        const text = 'x'.repeat(60_000);
        let most = 0;
        for (let index = 0; index < 600; index += 1) {
          const body = {
            uuid: `wal-message-${index}`,
            session: 'wal',
            text: `later ${text}`,
            dir: kairos.work,
          };
          await kairos.bridge.get({ method: 'POST', path: '/messages', body });
          most = Math.max(most, sizeOf(kairos.home, 'store.db-wal'));
        }
        reader.exec('COMMIT');
        reader.close();
        for (let index = 0; index < 30; index += 1) {
          const body = {
            uuid: `wal-after-${index}`,
            session: 'wal',
            text: `later ${text}`,
            dir: kairos.work,
          };
          await kairos.bridge.get({ method: 'POST', path: '/messages', body });
        }
        await kairos.bridge.get({ method: 'POST', path: '/sessions/wal/interrupt' });
        const after = sizeOf(kairos.home, 'store.db-wal');
        process.stdout.write(
          `WAL: at most ${Math.round(most / 1e6)} MB with a reader, ${Math.round(after / 1e6)} MB after it\n`,
        );
        expect({ bounded: most < 300_000_000, after: after < 70_000_000 }).toEqual({
          bounded: true,
          after: true,
        });
      }),
  );
});
