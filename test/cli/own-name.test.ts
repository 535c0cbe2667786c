import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hint, ownName, reasonHere } from '../../electron/cli/output/own-name.ts';
import { startFakeBridge } from './support/fake-bridge.ts';
import { type Harness, createHarness } from './support/cli-harness.ts';

let base: string;
let entry: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kairos-name-')));
  for (const folder of ['clone/build/bin', 'clone/shared', 'other/build/bin', 'elsewhere', 'clone-2'])
    mkdirSync(join(base, folder), { recursive: true });
  entry = join(base, 'clone/build/bin/kairos.mjs');
  for (const path of [entry, join(base, 'other/build/bin/kairos.mjs')]) writeFileSync(path, '');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function named(cwd: string, path = ''): string {
  return ownName({ env: { PATH: path }, cwd: join(base, cwd), entry }).replace(base, 'BASE');
}

/** A folder on the PATH in which `kairos` is a link to a copy, as npm link makes it. */
function linked(folder: string, copy: string): string {
  const path = join(base, folder);
  mkdirSync(path, { recursive: true });
  symlinkSync(join(base, copy, 'build/bin/kairos.mjs'), join(path, 'kairos'));
  return path;
}

test('a copy that nothing links is called through npx inside its checkout, and by its path elsewhere', () => {
  expect(['clone', 'clone/shared', 'elsewhere', '', 'clone-2'].map((cwd) => named(cwd))).toEqual([
    'npx kairos',
    'npx kairos',
    'node BASE/clone/build/bin/kairos.mjs',
    'node BASE/clone/build/bin/kairos.mjs',
    'node BASE/clone/build/bin/kairos.mjs',
  ]);
});

test('a linked copy is called by its name everywhere, but not when the name means another copy or only npm knows it', () => {
  const own = linked('bin', 'clone');
  const other = linked('other-bin', 'other');
  const npms = linked('clone/node_modules/.bin', 'clone');
  expect([
    named('elsewhere', `/nowhere:${own}`),
    named('clone', own),
    named('elsewhere', `${other}:${own}`),
    named('clone', other),
    named('clone', npms),
  ]).toEqual(['kairos', 'kairos', 'node BASE/clone/build/bin/kairos.mjs', 'npx kairos', 'npx kairos']);
});

test('a path with spaces is quoted, and a copy without a checkout goes by its name', () => {
  const spaced = join(base, 'my clone/build/bin');
  mkdirSync(spaced, { recursive: true });
  writeFileSync(join(spaced, 'kairos.mjs'), '');
  const standing = { env: {}, cwd: base };
  expect([
    ownName({ ...standing, entry: join(spaced, 'kairos.mjs') }),
    ownName({ ...standing, entry: join(base, 'app/build/bin/kairos.mjs') }),
  ]).toEqual([`node "${spaced}/kairos.mjs"`, 'kairos']);
});

test('hints name the way that works, and nothing else changes', () => {
  const texts = [
    'See: kairos daemon logs, or kairos doctor',
    'Did you mean "kairos send"? See `kairos --help`.',
    'Write npx kairos open; state is in ~/.kairos and /home/kairos here',
  ];
  expect(texts.map((text) => hint('npx kairos', text))).toEqual([
    'See: npx kairos daemon logs, or npx kairos doctor',
    'Did you mean "npx kairos send"? See `npx kairos --help`.',
    'Write npx kairos open; state is in ~/.kairos and /home/kairos here',
  ]);
});

test('a reason names what to do as it is typed here, and leaves the words before it as they are', () => {
  const reasons = [
    'A part of "/kairos doctor/store.db" is damaged. Stop it (kairos daemon stop).',
    'The daemon said: kairos doctor',
  ];
  expect(reasons.map((reason) => reasonHere(reason, 'npx kairos'))).toEqual([
    'A part of "/kairos doctor/store.db" is damaged. Stop it (npx kairos daemon stop).',
    'The daemon said: kairos doctor',
  ]);
});

test('the reason of safe mode is typed as the hint beside it, in JSON too', async () => {
  const harness: Harness = createHarness();
  const bridge = await startFakeBridge();
  const safe = 'A part is damaged. Stop Kairos (kairos daemon stop).';
  await harness.announce(bridge, { safe });
  bridge.routes['GET /health'] = () => ({ body: {} });
  const { out } = await harness.run(['daemon', 'start', '--json'], { program: 'npx kairos' });
  await bridge.close();
  harness.dispose();
  expect(JSON.parse(out)).toMatchObject({
    safe: true,
    reason: 'A part is damaged. Stop Kairos (npx kairos daemon stop).',
  });
});

test.each([
  ['frob', 'See: npx kairos --help'],
  ['sned hello', 'Did you mean "npx kairos send"?'],
  ['sessions', 'Start it with: npx kairos daemon start'],
  ['logs', 'They begin with: npx kairos daemon start'],
])('"%s" advises what can be typed here', async (line, advice) => {
  const harness: Harness = createHarness();
  const { err } = await harness.run(line.split(' '), { program: 'npx kairos' });
  harness.dispose();
  expect(err.endsWith(` ${advice}\n`) ? advice : err).toBe(advice);
});
