import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../../electron/daemon/events/sqlite/open.ts';
import { createTestClock, createTestIds } from './support/clock-ids.ts';

const child = fileURLToPath(new URL('support/child-verbs.ts', import.meta.url));

/** Runs the child until it acknowledged so many wakes, kills it with -9 and returns every acknowledged one. */
async function killAfter(count: number, args: readonly string[]): Promise<string[]> {
  const running = spawn(process.execPath, [child, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.split('\n').length > count) running.kill('SIGKILL');
  });
  await once(running, 'close');
  return output.split('\n').slice(0, -1);
}

test('what was acknowledged is there after kill -9 at any moment, and the log has no gap', {
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kairos-kill-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const home = { storeDb: join(folder, 'store.db'), blobsDir: join(folder, 'blobs') };
  const acknowledged: string[] = [];
  for (const count of [1, 37, 120, 300]) {
    acknowledged.push(...(await killAfter(count, [home.storeDb, home.blobsDir])));
  }
  const store = await openSqliteStore({ home, clock: createTestClock(), ids: createTestIds() });
  onTestFinished(() => store.close());
  const missing = [];
  for (const id of acknowledged) if (!(await store.message(id))) missing.push(id);
  expect({ missing, enough: acknowledged.length > 450 }).toEqual({ missing: [], enough: true });
  const session = (await store.summaries())[0]?.session;
  let seq = 0;
  for (let page = await store.events(session?.id ?? '', { after: 0, limit: 1000 }); page.length > 0; ) {
    for (const event of page) expect(event.seq).toBe((seq += 1));
    page = await store.events(session?.id ?? '', { after: seq, limit: 1000 });
  }
  expect(seq).toBe(session?.seq);
});
