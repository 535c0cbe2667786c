import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Kairos, withKairos } from '../support/real/kairos.ts';
import { isLiving, killNow } from '../support/real/processes.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { settle } from './support/conversation.ts';

interface Status {
  readonly state: string;
  readonly safe: string | null;
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

const status = (kairos: Kairos): Promise<Status> => kairos.json<Status>(['daemon', 'status']);

/** Kills supervisor and daemon as a power cut would, and waits until they are gone. */
async function killAll(kairos: Kairos): Promise<void> {
  const processes = kairos.processes('supervisor', 'daemon');
  for (const { pid } of processes) killNow(pid);
  await waitFor(() => processes.every(({ pid }) => !isLiving(pid)), { what: 'the killed to go' });
}

/** Fills the rest of a file with noise. */
function spoil(path: string, from: number): void {
  const file = openSync(path, 'r+');
  const length = statSync(path).size - from;
  writeSync(file, Buffer.alloc(length, 0xa7), 0, length, from);
  closeSync(file);
}

/** What is said of a store that is gone, and what a start with an empty one keeps. */
async function saidAndKept(kairos: Kairos, loss: RegExp): Promise<void> {
  await kairos.startDaemon();
  const safe = await status(kairos);
  const refused = await kairos.cli(['send', 'help']);
  const doctor = await kairos.cli(['doctor']);
  await kairos.json(['daemon', 'restart']);
  const again = await status(kairos);
  const fresh = await kairos.cli(['daemon', 'start', '--fresh', '--json']);
  const running = await status(kairos);
  const busy = await kairos.cli(['daemon', 'start', '--fresh']);
  expect({
    states: [safe.state, again.state, running.state],
    safe: safe.safe,
    refused: [refused.code, doctor.code, fresh.code, busy.code],
    told: doctor.stdout,
    kept: fresh.stderr,
    sessions: await kairos.sessions(),
  }).toEqual({
    states: ['safe', 'safe', 'running'],
    safe: expect.stringMatching(loss),
    refused: [1, 1, 0, 1],
    told: expect.stringMatching(
      /an earlier run left.*kairos\S* restore FOLDER --replace.*daemon start --fresh/s,
    ),
    kept: expect.stringMatching(/Kept: .*\.bak-\d{14}/),
    sessions: [],
  });
}

it('A store that is gone is told, not replaced by an empty one; starting empty is an order of its own and keeps the rest', () =>
  withKairos({}, async (kairos) => {
    await settle(kairos, `write a.txt: ${'long '.repeat(20_000)}`, '--session', 'talk');
    await kairos.stopDaemon();
    for (const name of readdirSync(kairos.home).filter((each) => each.startsWith('store.db')))
      rmSync(join(kairos.home, name));
    await saidAndKept(kairos, /store\.db is missing, but an earlier run left blobs/);
    expect((await settle(kairos, 'help')).state).toBe('settled');
  }));

it('A young store whose log was damaged after kill -9 is told too, and its log is kept', () =>
  withKairos({}, async (kairos) => {
    await settle(kairos, 'help', '--session', 'talk');
    await killAll(kairos);
    const wal = join(kairos.home, 'store.db-wal');
    const { size } = statSync(wal);
    spoil(wal, 0);
    await saidAndKept(kairos, /store\.db holds nothing, but an earlier run left store\.db-wal/);
    const kept = readdirSync(kairos.home).find((name) => /^store\.db\.bak-\d+-wal$/.test(name));
    expect(statSync(join(kairos.home, kept ?? 'nothing')).size).toBe(size);
  }));

it('The lost end of a damaged log is told by status and doctor, also after a restart, and Kairos goes on', () =>
  withKairos({}, async (kairos) => {
    await settle(kairos, 'help', '--session', 'talk');
    await kairos.json(['daemon', 'restart']);
    for (let n = 0; n < 3; n += 1) await settle(kairos, 'help', '--session', 'talk');
    const before = await kairos.exported('talk');
    await killAll(kairos);
    const wal = join(kairos.home, 'store.db-wal');
    spoil(wal, Math.floor(statSync(wal).size / 2));
    await kairos.startDaemon();
    const first = await status(kairos);
    const goesOn = (await settle(kairos, 'help', '--session', 'talk')).state;
    await kairos.json(['daemon', 'restart']);
    const second = await status(kairos);
    const doctor = await kairos.cli(['doctor']);
    const lost = first.problems.find(({ code }) => code === 'store_lost')?.message;
    expect({
      states: [first.state, second.state, goesOn, doctor.code],
      lost,
      again: second.problems.find(({ code }) => code === 'store_lost')?.message,
      doctor: doctor.stdout.includes('stored events are lost'),
      kept: (await kairos.exported('talk'))[0],
    }).toEqual({
      states: ['running', 'running', 'settled', 1],
      lost: expect.stringMatching(/^The newest \d+ stored events are lost/),
      again: lost,
      doctor: true,
      kept: before[0],
    });
  }));

it('A daemon whose database is replaced under it leaves, so that nothing is stored where nobody finds it', () =>
  withKairos({}, async (kairos) => {
    await settle(kairos, 'help', '--session', 'talk');
    const processes = kairos.processes('supervisor', 'daemon');
    const store = join(kairos.home, 'store.db');
    copyFileSync(store, `${store}.copy`);
    renameSync(`${store}.copy`, store);
    await waitFor(() => processes.every(({ pid }) => !isLiving(pid)), { what: 'the daemon to leave' });
    const without = await kairos.cli(['daemon', 'status']);
    expect([processes.length, without.code]).toEqual([2, 3]);
  }));
