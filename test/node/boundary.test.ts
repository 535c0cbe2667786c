import { spawnSync } from 'node:child_process';
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

test('another role, another boundary and an ordinary build live on', () => {
  const folder = temporaryFolder();
  expect(run('daemon:tool.execute:before:1', folder)).toEqual({ signal: null, passed: 3 });
  expect(run('worker:model.request:before:1', folder)).toEqual({ signal: null, passed: 3 });
  expect(run('worker:tool.execute:before:1', folder, 'off')).toEqual({ signal: null, passed: 3 });
});
