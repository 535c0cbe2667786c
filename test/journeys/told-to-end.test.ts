import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { fileHas, send, settled, workFile } from './support/conversation.ts';

let kairos: Kairos;
beforeEach(async () => {
  kairos = await startKairos();
});
afterEach(() => kairos.dispose());

interface Status {
  readonly pid: number;
  readonly supervisorPid: number;
}

/** The status once another daemon than `before` is up. */
function statusAfter(before: number): Promise<Status> {
  return waitFor(
    async () => {
      const status = await kairos.cli(['daemon', 'status', '--json']);
      const json = status.code === 0 ? (status.json as Status) : undefined;
      return json !== undefined && json.pid !== before ? json : undefined;
    },
    { what: 'another daemon' },
  );
}

describe('A daemon that its supervisor did not ask to end', () => {
  it.each(['TERM', 'INT', 'KILL'])('is up again after its own agent sent SIG%s to it', async (signal) => {
    const before = await kairos.json<Status>(['daemon', 'status']);
    writeFileSync(join(kairos.work, 'victim'), String(before.pid));
    const { message } = await send(
      kairos,
      `run echo begun >> begun.txt; kill -${signal} $(cat victim); sleep 1\nrun echo after > after.txt`,
      '--session',
      'killer',
      '--mode',
      'bypassPermissions',
    );
    const after = await statusAfter(before.pid);
    const { state } = await settled(kairos, message);
    expect([
      after.supervisorPid,
      state,
      workFile(kairos, 'begun.txt'),
      workFile(kairos, 'after.txt'),
    ]).toEqual([before.supervisorPid, 'settled', 'begun\n', 'after\n']);
  });

  it('comes back as often as it is told to end, without safe mode', async () => {
    let { pid } = await kairos.json<Status>(['daemon', 'status']);
    for (let time = 0; time < 7; time += 1) {
      process.kill(pid, 'SIGTERM');
      ({ pid } = await statusAfter(pid));
    }
    await send(kairos, 'run echo well > well.txt', '--session', 'well', '--mode', 'bypassPermissions');
    await fileHas(kairos, 'well.txt', 'well');
  });

  it('stays down after kairos daemon stop, and after SIGTERM to the supervisor', async () => {
    await kairos.stopDaemon();
    await kairos.nothingLeft();
    await kairos.startDaemon();
    for (const { pid } of kairos.processes('supervisor', 'daemon')) process.kill(pid, 'SIGTERM');
    await kairos.nothingLeft(12_000);
  });
});
