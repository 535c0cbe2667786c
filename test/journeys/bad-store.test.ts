import Database from 'better-sqlite3';
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Kairos, withKairos } from '../support/real/kairos.ts';
import { settle } from './support/conversation.ts';

interface Status {
  readonly state: string;
  readonly safe: string | null;
  readonly restarts: number;
}

function storePath(kairos: Kairos): string {
  return join(kairos.home, 'store.db');
}

/** Fills a range of a file with noise. */
function damage(path: string, at: number, length: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(length, 0xa7), 0, length, at);
  closeSync(file);
}

async function withDamagedStore(
  harm: (kairos: Kairos) => void,
  check: (kairos: Kairos) => Promise<void>,
): Promise<void> {
  await withKairos({}, async (kairos) => {
    for (let index = 0; index < 3; index += 1)
      await settle(kairos, 'write a.txt: some text', '--session', `s${index}`);
    await kairos.stopDaemon();
    harm(kairos);
    await check(kairos);
  });
}

async function expectSafeMode(kairos: Kairos, reason: RegExp): Promise<void> {
  await kairos.startDaemon();
  const status = await kairos.json<Status>(['daemon', 'status']);
  const refused = await kairos.cli(['send', 'help']);
  const doctor = await kairos.cli(['doctor']);
  expect({
    state: status.state,
    safe: status.safe,
    few: status.restarts <= 5,
    send: refused.code,
    stderr: refused.stderr,
    doctor: doctor.code,
    told: doctor.stdout,
  }).toEqual({
    state: 'safe',
    safe: expect.stringMatching(reason),
    few: true,
    send: 1,
    stderr: expect.stringMatching(reason),
    doctor: 1,
    told: expect.stringMatching(reason),
  });
}

describe('A database that cannot be used leaves the control port up with the reason, and is not changed', () => {
  it('a damaged header', () =>
    withDamagedStore(
      (kairos) => damage(storePath(kairos), 0, 64),
      async (kairos) => {
        const before = readFileSync(storePath(kairos));
        await expectSafeMode(kairos, /damaged|corrupt|not a database/i);
        expect(readFileSync(storePath(kairos)).equals(before)).toBe(true);
      },
    ));

  it('a newer schema', () =>
    withDamagedStore(
      (kairos) => {
        const database = new Database(storePath(kairos));
        database.pragma('user_version = 9999');
        database.close();
      },
      async (kairos) => {
        await expectSafeMode(kairos, /newer/i);
        const database = new Database(storePath(kairos), { readonly: true });
        expect(database.pragma('user_version', { simple: true })).toBe(9999);
        database.close();
      },
    ));
});

describe('A damaged page', () => {
  it('is told, whatever it hits: never a silent loss, and the control port answers', () =>
    withDamagedStore(
      (kairos) => {
        const { size } = statSync(storePath(kairos));
        const pages = Math.floor(size / 4096);
        for (let page = 2; page < pages; page += 1) damage(storePath(kairos), page * 4096, 4096);
      },
      async (kairos) => {
        const started = await kairos.cli(['daemon', 'start', '--json']);
        const status = await kairos.json<Status>(['daemon', 'status']);
        const sessions = await kairos.cli(['sessions', '--json']);
        const doctor = await kairos.cli(['doctor']);
        expect({
          started: started.code,
          told: status.state === 'safe' || sessions.code !== 0,
          doctor: doctor.code,
          reason: `${doctor.stdout}${sessions.stderr}`,
        }).toEqual({
          started: 0,
          told: true,
          doctor: 1,
          reason: expect.stringMatching(/damaged|corrupt|malformed/i),
        });
      },
    ));
});

describe('After the cause is mended', () => {
  it('a restart finds everything again', () => {
    let copy = Buffer.alloc(0);
    return withDamagedStore(
      (kairos) => {
        copy = readFileSync(storePath(kairos));
        damage(storePath(kairos), 0, 64);
      },
      async (kairos) => {
        await kairos.startDaemon();
        await kairos.stopDaemon();
        writeFileSync(storePath(kairos), copy);
        await kairos.startDaemon();
        const names = (await kairos.sessions()).map(({ name }) => name);
        expect(names.sort()).toEqual(['s0', 's1', 's2']);
      },
    );
  });
});
