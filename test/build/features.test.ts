import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { featureDefines, featuresOf } from '../../build/bundle/features.mjs';
import { bundlePrograms } from '../../build/bundle/programs.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
let base = '';
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'kairos-features-'));
});
afterAll(() => rmSync(base, { recursive: true }));

/** Words that only the code of a feature says. */
const words = {
  brief: 'All that the person should read goes through this tool.',
  file: 'Sends the person one file',
  always: 'Asks the person a question and waits',
};

async function said(env: Record<string, string>): Promise<Record<string, boolean>> {
  const folder = mkdtempSync(join(base, 'b-'));
  await bundlePrograms({ root, folder, crashPoints: false, features: featuresOf(env) });
  const code = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  return Object.fromEntries(
    Object.entries(words).map(([feature, text]) => [feature, code.some((each) => each.includes(text))]),
  );
}

test('a variable set to 0 names what is left out, and nothing else does', () => {
  expect([
    featuresOf({}),
    featuresOf({ BUILD_KAIROS_BRIEF: '1' }),
    featuresOf({ BUILD_KAIROS_BRIEF: '0' }),
    featuresOf({ BUILD_KAIROS: '0' }),
    featureDefines(featuresOf({ BUILD_KAIROS_BRIEF: '0' })),
  ]).toEqual([
    { kairos: true, brief: true },
    { kairos: true, brief: true },
    { kairos: true, brief: false },
    { kairos: false, brief: false },
    { __BUILD_KAIROS__: 'true', __BUILD_KAIROS_BRIEF__: 'false' },
  ]);
});

test('the code of a feature that is left out is in no program', { timeout: 120_000 }, async () => {
  expect([await said({ BUILD_KAIROS_BRIEF: '0' }), await said({ BUILD_KAIROS: '0' })]).toEqual([
    { brief: false, file: true, always: true },
    { brief: false, file: false, always: true },
  ]);
});
