import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { locateDaemon } from '../../electron/cli/bridge/locate.ts';
import { type Harness, createHarness } from './support/cli-harness.ts';

const nowhere = { url: 'http://127.0.0.1:9', port: 9, token: 'token-of-the-test' };
let harness: Harness;

beforeEach(() => {
  harness = createHarness();
});
afterEach(() => harness.dispose());

async function kind(): Promise<string> {
  const located = await locateDaemon(harness.home);
  return located.kind === 'absent'
    ? `absent: ${located.why?.replaceAll(harness.home.home, 'HOME')}`
    : located.kind;
}

test('a home without files has no daemon', async () => {
  expect(await kind()).toBe('absent: undefined');
});

test('a daemon whose process lives is found', async () => {
  await harness.announce(nowhere);
  expect(await kind()).toBe('running');
});

test('a file of a process that is gone, or whose number another process has now, is stale', async () => {
  await harness.announce(nowhere, { startTime: 'another' });
  const reused = await kind();
  await harness.announce(nowhere, { pid: 2 ** 22 + 1 });
  expect([reused, await kind()]).toEqual(['absent: undefined', 'absent: undefined']);
});

test('a stale file of a daemon whose supervisor lives means that it is being started', async () => {
  await harness.announce(nowhere, { startTime: 'another' });
  await harness.announceSupervisor();
  expect(await kind()).toBe('starting');
});

test('a damaged file says why nothing is found, and that it is damaged when a supervisor lives', async () => {
  writeFileSync(harness.home.daemonFile, '{"pid":');
  const alone = await kind();
  await harness.announceSupervisor();
  expect([alone, await kind()]).toEqual(['absent: "HOME/daemon.json" is not valid JSON', 'damaged']);
});

test('a damaged supervisor.json counts as none', async () => {
  writeFileSync(harness.home.supervisorFile, 'no json');
  expect(await kind()).toBe('absent: undefined');
});
