import Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BridgeAnswer } from '../support/real/bridge-client.ts';
import { type Kairos, withKairos } from '../support/real/kairos.ts';
import { bodies, settle } from './support/conversation.ts';

function sizeOf(home: string, name: string): number {
  return statSync(join(home, name), { throwIfNoEntry: false })?.size ?? 0;
}

function post(kairos: Kairos, text: string): Promise<BridgeAnswer> {
  const body = { uuid: randomUUID(), session: 'wal', text, queue: 'after_turn' };
  return kairos.bridge.call({ method: 'POST', path: '/messages', body });
}

async function sendUntilRefused(kairos: Kairos): Promise<{ stored: number; most: number; refused: number }> {
  const text = `later ${'x'.repeat(60_000)}`;
  let [stored, most, refused] = [0, 0, 0];
  const sender = async (): Promise<void> => {
    for (let index = 0; index < 2_000 && refused === 0; index += 1) {
      const { status } = await post(kairos, text);
      if (status < 300) stored += 1;
      else refused = status;
      most = Math.max(most, sizeOf(kairos.home, 'store.db-wal'));
    }
  };
  await Promise.all(Array.from({ length: 8 }, sender));
  return { stored, most, refused };
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
    'the WAL stays under its cap while a reader holds an old snapshot: what does not fit is refused, and all goes on after it',
    {
      timeout: 120_000,
    },
    () =>
      withKairos({}, async (kairos) => {
        await settle(kairos, 'help', '--session', 'wal');
        await kairos.json(['pause', 'wal']);
        const reader = new Database(join(kairos.home, 'store.db'), { readonly: true });
        reader.exec('BEGIN');
        reader.prepare('SELECT count(*) FROM events').get();
        const filling = await sendUntilRefused(kairos);
        reader.exec('COMMIT');
        reader.close();
        const after = await post(kairos, 'after the reader');
        const walAfter = sizeOf(kairos.home, 'store.db-wal');
        const log = await kairos.exported('wal');
        expect({
          refused: filling.refused,
          bounded: filling.most < 270_000_000,
          after: after.status,
          shrunk: walAfter < 70_000_000,
          stored: bodies(log, 'message.received').length,
        }).toEqual({ refused: 503, bounded: true, after: 201, shrunk: true, stored: filling.stored + 2 });
      }),
  );
});
