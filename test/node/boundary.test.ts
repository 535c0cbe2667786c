import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixture, temporaryFolder } from './support/processes.ts';

function run(wish: string, folder: string, build: 'on' | 'off' = 'on') {
  const env = { ...process.env, KAIROS_CRASH: wish, KAIROS_CRASH_DIR: folder };
  const { signal, stdout } = spawnSync(process.execPath, [fixture(import.meta.url, 'boundaries.ts'), build], {
    env,
  });
  return { signal, passed: String(stdout).length };
}

test('a process dies at the wished passing of its boundary, once', () => {
  const folder = temporaryFolder();
  expect(run('worker:tool.execute:before:2', folder)).toEqual({ signal: 'SIGKILL', passed: 1 });
  expect(run('worker:tool.execute:before:2', folder)).toEqual({ signal: null, passed: 3 });
  expect(run('worker:tool.execute:after:2', folder)).toEqual({ signal: 'SIGKILL', passed: 2 });
});

test('a process dies each time as long as its file is there, and each death leaves a line', () => {
  const folder = temporaryFolder();
  const wish = 'worker:tool.execute:before:2:always';
  const before = run(wish, folder);
  const file = join(folder, 'crash-always');
  writeFileSync(file, '');
  const deaths = [run(wish, folder), run(wish, folder)];
  expect({ before, deaths, lines: readFileSync(file, 'utf8').split('\n').length - 1 }).toEqual({
    before: { signal: null, passed: 3 },
    deaths: [
      { signal: 'SIGKILL', passed: 1 },
      { signal: 'SIGKILL', passed: 1 },
    ],
    lines: 2,
  });
});

test('another role, another boundary and an ordinary build live on', () => {
  const folder = temporaryFolder();
  expect(run('daemon:tool.execute:before:1', folder)).toEqual({ signal: null, passed: 3 });
  expect(run('worker:model.request:before:1', folder)).toEqual({ signal: null, passed: 3 });
  expect(run('worker:tool.execute:before:1', folder, 'off')).toEqual({ signal: null, passed: 3 });
});
