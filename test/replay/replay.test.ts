import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { newestSchema } from '../../electron/daemon/events/rows/newest-schema.ts';
import { allow, begin, by, terms } from '../store/support/acts.ts';
import { createTestIds } from '../store/support/clock-ids.ts';
import { openIn, type StoreFolder, storeFolder } from '../store/support/folder.ts';
import { lookAt } from './look.ts';

const recorded = fileURLToPath(new URL('fixtures', import.meta.url));

/** A copy of a recorded home, so that opening it changes nothing here. */
async function copyOf(version: string): Promise<StoreFolder> {
  const folder = await storeFolder();
  cpSync(join(recorded, version), folder.home, { recursive: true });
  return folder;
}

describe.each(readdirSync(recorded))('the home recorded by %s', (version) => {
  test('shows what it showed then', async () => {
    const store = await openIn(await copyOf(version));
    const expected: unknown = JSON.parse(readFileSync(join(recorded, version, 'expected.json'), 'utf8'));
    // Later versions add members to rows; what was there stays as it was.
    expect(await lookAt(store)).toMatchObject(expected as object);
  });

  test('is copied before it is brought forward, and devices without a maker keep none', async () => {
    const folder = await copyOf(version);
    const store = await openIn(folder);
    const before = Number(version.slice(1));
    const made = (await store.devices()).map(({ madeBy, window }) => [madeBy !== null, window]);
    const window = [true, true];
    expect([existsSync(`${folder.storeDb}.v${before}.bak`), made]).toEqual([
      before < newestSchema,
      before === 1 ? [[false, false]] : [[false, false], window],
    ]);
  });

  test('goes on: what ran is unknown, what asked can be answered, what waited runs', async () => {
    const store = await openIn(await copyOf(version), { ids: createTestIds(100_000) });
    const idOf = async (name: string): Promise<string> => (await store.session(name))?.id ?? '';
    const recovered = await store.recoverAll();
    expect(recovered.flatMap(({ unknownCalls }) => unknownCalls)).toEqual(['runs1']);
    expect((await store.nextStep(await idOf('runs'), terms)).kind).toBe('request');
    const [prompt] = await store.prompts({ state: 'open', limit: 1 });
    expect((await store.claimPrompt({ code: prompt?.code ?? '', verdict: allow, by })).outcome).toBe(
      'accepted',
    );
    expect((await store.nextStep(await idOf('asks'), terms)).kind).toBe('calls');
    expect((await store.nextStep(await idOf('sleeps'), terms)).kind).toBe('waiting');
    expect((await begin(store, await idOf('waits'))).n).toBe(1);
    await store.unpark(await idOf('parked'));
    expect(await store.nextStep(await idOf('parked'), terms)).toMatchObject({
      kind: 'request',
      repeated: true,
    });
  });
});
