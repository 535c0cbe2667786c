import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../electron/node/clock.ts';
import { acquireExclusiveLock } from '../../electron/node/exclusive-lock.ts';
import { firstLine, fixture, goneWithin, start, temporaryFolder } from './support/processes.ts';

function files() {
  const folder = temporaryFolder();
  return { lock: join(folder, 'lock.db'), holder: join(folder, 'daemon.json') };
}

const take = (lock: string, holder: string) => {
  const child = start(process.execPath, [fixture(import.meta.url, 'lock-holder.ts'), lock, holder]);
  return firstLine(child).then((line) => ({ child, line }));
};

describe('the lock', () => {
  test('is held by one process; the others are told at once who has it', async () => {
    const { lock, holder } = files();
    const { child, line } = await take(lock, holder);
    expect(line).toBe('acquired');
    expect(acquireExclusiveLock(lock, holder)).toEqual({ kind: 'busy', holder: undefined });
    writeFileSync(holder, JSON.stringify({ pid: child.pid, url: 'http://127.0.0.1:1', token: 'x' }));
    const began = systemClock.monotonic();
    expect(acquireExclusiveLock(lock, holder)).toMatchObject({
      kind: 'busy',
      holder: { pid: child.pid, url: 'http://127.0.0.1:1' },
    });
    expect(systemClock.monotonic() - began).toBeLessThan(1_000);
  });

  test('is free after kill -9 of its holder', async () => {
    const { lock, holder } = files();
    const { child } = await take(lock, holder);
    child.kill('SIGKILL');
    await goneWithin(child.pid, 1_000);
    const answer = acquireExclusiveLock(lock, holder);
    expect(answer.kind).toBe('acquired');
    expect((await take(lock, holder)).line).toBe('busy');
    if (answer.kind === 'acquired') answer.release();
    expect((await take(lock, holder)).line).toBe('acquired');
  });

  test('that is damaged, or in a folder that is missing, says what to do', () => {
    const { lock, holder } = files();
    writeFileSync(lock, 'no database, '.repeat(200));
    expect(() => acquireExclusiveLock(lock, holder)).toThrow(
      expect.objectContaining({ code: 'lock-unusable', next: expect.stringContaining('rm ') }),
    );
    expect(() => acquireExclusiveLock('/no/such/lock.db', holder)).toThrow(
      expect.objectContaining({ code: 'lock-unusable' }),
    );
  });
});
