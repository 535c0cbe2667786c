import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Kairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { bodies, settle, settled } from './support/conversation.ts';

let disk = '';

function mount(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'kd-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m,mode=0700', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
}

const mounted = mount();
if (mounted === null) process.stdout.write('skipped: full disk (a tmpfs cannot be mounted here)\n');

beforeAll(() => {
  disk = mounted ?? '';
});
afterAll(() => {
  if (disk === '') return;
  execFileSync('umount', [disk], { stdio: 'ignore' });
  rmSync(disk, { recursive: true });
});

/** Leaves no byte free; true when anything was written. */
function fill(folder: string): void {
  for (const size of [1024 * 1024, 64 * 1024, 4096, 1024]) {
    for (let index = 0; index < 4096; index += 1) {
      try {
        writeFileSync(join(folder, `fill-${size}-${index}`), Buffer.alloc(size));
      } catch {
        break;
      }
    }
  }
}

function free(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.startsWith('fill-')))
    rmSync(join(folder, name));
}

/** Sends until storing is refused three times: the WAL file may have room of its own at first. */
async function sendUntilRefused(kairos: Kairos): Promise<{ acknowledged: string[]; refused: number[] }> {
  const refused: number[] = [];
  const acknowledged: string[] = [];
  const text = `write f.txt: ${'x'.repeat(20_000)}`;
  await waitFor(
    async () => {
      const uuid = randomUUID();
      const body = { uuid, session: 'main', text, dir: kairos.work, mode: 'bypassPermissions' };
      const answer = await kairos.bridge.call({ method: 'POST', path: '/messages', body });
      if (answer.status < 300) acknowledged.push(uuid);
      else refused.push(answer.status);
      return refused.length >= 3;
    },
    { what: 'a message that is refused', withinMs: 30_000 },
  );
  return { acknowledged, refused };
}

async function fillAndFree(kairos: Kairos): Promise<void> {
  await kairos.startDaemon();
  const before = await settle(kairos, 'help', '--session', 'main');
  fill(disk);
  const { acknowledged, refused } = await sendUntilRefused(kairos);
  const health = await kairos.bridge.call({ path: '/health' });
  const doctor = await kairos.cli(['doctor']);
  free(disk);
  for (const uuid of acknowledged) await settled(kairos, uuid, 40_000);
  const after = await settle(kairos, 'help', '--session', 'main');
  const log = await kairos.exported('main');
  const settlings = bodies(log, 'message.settled').map(({ message }) => message);
  expect({
    before: before.state,
    statuses: [...new Set(refused)],
    health: health.status,
    told: doctor.stdout,
    after: after.state,
    gapless: log.every(({ seq }, index) => seq === index + 1),
    settledOnce: acknowledged.every((uuid) => settlings.filter((each) => each === uuid).length === 1),
  }).toEqual({
    before: 'settled',
    statuses: [507],
    health: 200,
    told: expect.stringMatching(/full|0\.0 MB free/i),
    after: 'settled',
    gapless: true,
    settledOnce: true,
  });
}

describe.skipIf(mounted === null)('A full disk', () => {
  it('acknowledges nothing that was not stored, says so, loses nothing, and goes on when space is free again', {
    timeout: 120_000,
  }, async () => {
    const home = join(disk, 'h');
    mkdirSync(home, { mode: 0o700 });
    const kairos = new Kairos({ home });
    try {
      await fillAndFree(kairos);
    } finally {
      free(disk);
      await kairos.dispose();
    }
  });
});
