import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WorkerProcess } from '../../../electron/daemon/supervision/worker-process.ts';
import { systemClock } from '../../../electron/node/clock.ts';
import type { WorkerToDaemon } from '../../../shared/protocol/worker-link.ts';
import { fixture, temporaryFolder } from '../../node/support/processes.ts';

/** A worker that does what `deed` says (fixtures/odd-worker.ts). */
function startOdd(deed: string) {
  const home = temporaryFolder();
  const folder = join(home, 'parcels', 'link');
  const logged: unknown[] = [];
  const note = (fields: object): void => void logged.push({ ...fields, pid: undefined });
  const worker = new WorkerProcess({
    entry: fixture(import.meta.url, 'odd-worker.ts'),
    cwd: home,
    env: { PATH: process.env.PATH ?? '', ODD: deed },
    parcels: folder,
    clock: systemClock,
    log: { debug: () => undefined, info: () => undefined, warn: note, error: note },
  });
  onTestFinished(() => worker.kill());
  const frames: WorkerToDaemon[] = [];
  const listeners: (() => void)[] = [];
  worker.onMessage((frame) => {
    frames.push(frame);
    for (const listener of listeners.splice(0)) listener();
  });
  const exited = new Promise<string>((resolve) => worker.onExit(({ reason }) => resolve(reason)));
  const heard = async (count: number): Promise<readonly WorkerToDaemon[]> => {
    while (frames.length < count) await new Promise<void>((resolve) => listeners.push(resolve));
    return frames;
  };
  return { worker, folder, logged, frames, exited, heard };
}

describe('large frames', () => {
  test('come and go in their order, between small ones, and leave no file', async () => {
    const { worker, folder, heard, exited } = startOdd('echo');
    const sizes = [10, 5_000_000, 20, 300_000, 30];
    for (const size of sizes)
      worker.send({ type: 'fault', id: size, error: { code: 'x'.repeat(size), message: '' } });
    const frames = await heard(sizes.length + 1);
    expect({
      ids: frames.map((frame) =>
        frame.type === 'ask' ? [frame.id, (frame.input as string).length] : frame.type,
      ),
      left: readdirSync(folder),
    }).toEqual({ ids: ['ready', ...sizes.map((size) => [size, size])], left: [] });
    worker.send({ type: 'stop' });
    expect([await exited, existsSync(folder)]).toEqual(['exit code 0', false]);
  });

  test('that nobody read are gone with the worker', async () => {
    const { worker, folder, heard, exited } = startOdd('deaf');
    await heard(1);
    worker.send({ type: 'fault', id: 1, error: { code: 'x'.repeat(300_000), message: '' } });
    const before = readdirSync(folder).length;
    worker.kill();
    expect([before, await exited, existsSync(folder)]).toEqual([1, 'killed by SIGKILL', false]);
  });
});

describe('a link that cannot be trusted', () => {
  test.each([
    ['hash', 'parcel_forged', 'A parcel is not what its name says.'],
    ['size', 'parcel_forged', 'A parcel has another size than it should.'],
    ['path', 'parcel_malformed', 'What stands for a parcel is malformed.'],
    ['missing', 'parcel_missing', 'A parcel cannot be read (ENOENT).'],
    ['oversized', 'parcel_malformed', 'What stands for a parcel is malformed.'],
    ['inline', 'frame_too_large', 'A frame of 300062 bytes came without a parcel.'],
  ])(
    '(%s) ends its worker with the reason, and nothing that follows is heard',
    async (deed, code, message) => {
      const { exited, frames, logged } = startOdd(deed);
      expect([await exited, frames.map(({ type }) => type), logged]).toEqual([
        `killed by SIGKILL: ${message}`,
        ['ready'],
        [{ code, error: message, pid: undefined }],
      ]);
    },
  );
});

test('a worker that dies of an error says so in its reason', async () => {
  const { exited } = startOdd('throw');
  expect(await exited).toBe('exit code 1: TypeError: odd worker: no such thing');
});
