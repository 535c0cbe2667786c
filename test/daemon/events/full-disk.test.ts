import { describe, expect, it } from 'vitest';
import { KairosError } from '../../../shared/base/errors.ts';
import { DaemonRig } from '../support/daemon-rig.ts';

const full = new KairosError('disk_full', 'The disk is full.');

/** A verb that finds the disk full so many times. */
function verb(times: number): () => Promise<string> {
  let left = times;
  return () => {
    left -= 1;
    return left < 0 ? Promise.resolve('stored') : Promise.reject(full);
  };
}

describe('patience with a full disk', () => {
  it('stores at once when there is room', async () => {
    const { patience } = new DaemonRig();
    expect(await patience.run(verb(0))).toBe('stored');
  });

  it('tries every second, tells people, and takes it back', async () => {
    const rig = new DaemonRig();
    const stored = rig.patience.run(verb(3));
    await rig.pass(2999);
    expect(rig.problemCodes).toEqual(['disk_full']);
    await rig.pass(1);
    expect([await stored, rig.problemCodes]).toEqual(['stored', []]);
  });

  it('does not repeat other faults', async () => {
    const { patience } = new DaemonRig();
    await expect(patience.run(() => Promise.reject(new KairosError('stale', 'over')))).rejects.toMatchObject({
      code: 'stale',
    });
  });

  it('gives up when nobody wants it any more', async () => {
    const rig = new DaemonRig();
    let wanted = true;
    const stored = rig.patience.run(verb(99), () => wanted);
    const heard = stored.catch((error: unknown) => error);
    await rig.pass(1500);
    wanted = false;
    await rig.pass(1000);
    expect(await heard).toBe(full);
  });

  it('ends with its stop', async () => {
    const rig = new DaemonRig();
    const heard = rig.patience.run(verb(99)).catch((error: unknown) => error);
    await rig.pass(500);
    rig.patience.stop();
    expect(await heard).toBe(full);
    await expect(rig.patience.run(verb(1))).rejects.toBe(full);
  });
});
