import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

test('a stand-in runs as a process of its own with a script from a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stand-in-'));
  writeFileSync(
    join(folder, 'answers.mjs'),
    `export const answer = () => [{ kind: 'text', text: 'From the file.' }];`,
  );
  const serve = resolve('test/support/models/serve.ts');
  const child = spawn(
    process.execPath,
    [serve, '--wire', 'openai', '--script', join(folder, 'answers.mjs'), '--key', 'k'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { baseUrl } = JSON.parse(line) as { baseUrl: string };
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer k' },
      body: JSON.stringify({ model: 'stand-in-large', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'From the file.' } }] });
  } finally {
    child.kill();
    await once(child, 'exit');
    rmSync(folder, { recursive: true });
  }
});

test.each([
  [['--help'], 0, '', /^Usage: /],
  [['--prot', '1'], 2, expect.stringMatching(/^Unknown option '--prot'.*\n\nUsage: /), /^$/],
  [['--wire', 'smoke'], 2, expect.stringMatching(/^--wire is one of anthropic, openai\n\nUsage: /), /^$/],
])('%j gives the usage and no stack', (args, status, stderr, stdout) => {
  const serve = resolve('test/support/models/serve.ts');
  const run = spawnSync(process.execPath, [serve, ...args], { encoding: 'utf8' });
  expect([run.status, run.stderr, run.stdout]).toEqual([status, stderr, expect.stringMatching(stdout)]);
});
