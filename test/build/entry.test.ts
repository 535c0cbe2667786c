import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBundle } from '../../build/bundle.mjs';

const checkout = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
let root = '';

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'kairos-entry-'));
  mkdirSync(join(root, 'electron/cli'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"version":"1.2.3","type":"module"}');
  symlinkSync(join(checkout, 'node_modules'), join(root, 'node_modules'));
  const program = [
    "import { pino } from 'pino';",
    'declare const __CRASH_POINTS__: boolean;',
    "pino({ level: 'silent' }).info('loads');",
    'console.log(JSON.stringify([process.argv.slice(2), __CRASH_POINTS__]));',
  ];
  writeFileSync(join(root, 'electron/cli/main.ts'), program.join('\n'));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

async function output(folder: string, args: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, folder, 'kairos.js'), ...args]);
  return JSON.parse(stdout) as unknown;
}

test('a bundle runs, knows whether it has crash points, and is made once for two builders at the same time', async () => {
  const builds = await Promise.all([ensureBundle({ root }), ensureBundle({ root })]);
  await ensureBundle({ root, crashPoints: true });
  const { buildId } = builds[0];
  expect({
    made: builds.filter(({ built }) => built).length,
    again: await ensureBundle({ root }),
    plain: await output('dist', ['a', '--b']),
    crash: await output('dist-crash', []),
    build: JSON.parse(readFileSync(join(root, 'dist/build.json'), 'utf8')) as unknown,
  }).toEqual({
    made: 1,
    again: { buildId, built: false },
    plain: [['a', '--b'], false],
    crash: [[], true],
    build: { version: '1.2.3', buildId },
  });
});
