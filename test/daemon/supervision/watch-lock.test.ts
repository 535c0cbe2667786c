import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { watchLock } from '../../../electron/daemon/supervision/watch-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'kairos-lock-'));
const lock = join(folder, 'lock.db');
let stop = (): void => undefined;

function lost(): Promise<string> {
  writeFileSync(lock, 'x');
  return new Promise((resolve) => {
    stop = watchLock(lock, () => resolve('lost'));
  });
}

afterEach(() => stop());

describe('the lock file of a running daemon', () => {
  it('is missed when it is deleted', async () => {
    const told = lost();
    rmSync(lock);
    expect(await told).toBe('lost');
  });

  it('is missed when another one takes its place, and not when it is only touched', async () => {
    const told = lost();
    utimesSync(lock, 1, 1);
    writeFileSync(join(folder, 'other'), 'y');
    renameSync(join(folder, 'other'), lock);
    expect(await told).toBe('lost');
  });
});
