import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { behaviour } from '../store-rig.ts';

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'kairos-files-')));
});
afterAll(() => rmSync(folder, { recursive: true }));

// Files become blobs without passing through memory whole; what is no plain file, or too large, is told and leaves nothing.
describe('files', () => {
  behaviour('are kept under their hash, twice the same', async ({ store }) => {
    const content = Buffer.alloc(700_000, 'kairos ');
    const path = join(folder, 'large');
    writeFileSync(path, content);
    const hash = createHash('sha256').update(content).digest('hex');
    const kept = [await store.putFile(path, content.length), await store.putFile(path, content.length)];
    writeFileSync(path, 'changed since');
    const bytes = await store.blob(hash);
    expect([kept, Buffer.from(bytes ?? []).equals(content)]).toEqual([
      [
        { hash, bytes: content.length },
        { hash, bytes: content.length },
      ],
      true,
    ]);
  });

  behaviour('that cannot be kept are told, and nothing of them stays', async ({ store }) => {
    const path = (name: string): string => join(folder, name);
    writeFileSync(path('big'), Buffer.alloc(2_000_000));
    symlinkSync(path('big'), path('link'));
    rmSync(path('pipe'), { force: true });
    execFileSync('mkfifo', [path('pipe')]);
    const told = async (name: string) =>
      store.putFile(path(name), 1_048_576).catch(({ code, message }) => [code, message]);
    const problems = [await told('absent'), await told('big'), await told('link'), await told('pipe')];
    rmSync(path('link'));
    expect([problems, await told('.'), await store.collectBlobs(-60_000)]).toEqual([
      [
        ['bad_file', 'does not exist'],
        ['bad_file', 'is larger than 1 MB'],
        ['bad_file', 'has become a link'],
        ['bad_file', 'is not a file'],
      ],
      ['bad_file', 'is not a file'],
      0,
    ]);
  });

  behaviour('are not read through a folder that has become a link to another', async ({ store }) => {
    mkdirSync(join(folder, 'elsewhere'), { recursive: true });
    writeFileSync(join(folder, 'elsewhere', 'a.txt'), 'secret');
    rmSync(join(folder, 'was-a-folder'), { force: true });
    symlinkSync('elsewhere', join(folder, 'was-a-folder'));
    const told = await store
      .putFile(join(folder, 'was-a-folder', 'a.txt'), 100)
      .catch(({ code, message }) => [code, message]);
    expect([told, await store.collectBlobs(-60_000)]).toEqual([['bad_file', 'leads somewhere else now'], 0]);
  });

  behaviour('that grow while they are copied are told, and nothing of them stays', async ({ store }) => {
    if (process.platform !== 'linux') return;
    // Says that it is empty, and gives without end.
    const told = await store
      .putFile(`/proc/${process.pid}/pagemap`, 1_048_576)
      .catch(({ message }) => message);
    expect([told, await store.collectBlobs(-60_000)]).toEqual(['is larger than 1 MB', 0]);
  });
});
