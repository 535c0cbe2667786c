import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Harness, createHarness } from './support/cli-harness.ts';

let harness: Harness;

beforeEach(() => {
  harness = createHarness();
});
afterEach(() => harness.dispose());

const needDaemon = [
  'send hi',
  'send hi --wait',
  'sessions',
  'sessions new',
  'sessions archive a',
  'approvals',
  'approve abcde',
  'deny abcde',
  'answer abcde A',
  'export a',
  'interrupt a',
  'rename a b',
  'mode a default',
  'pause',
  'resume a',
  'retry a',
  'rules',
  'rules explain Bash ls',
  'rules add allow Bash',
  'rules revoke rul_1',
  'rules remove rul_1',
  'trust',
  'trust --list',
  'trust --revoke',
  'devices',
  'devices add phone',
  'devices revoke dev_1',
  'token rotate',
  'search x',
  'open',
  'daemon stop',
  'daemon status',
];

test.each(needDaemon)('"kairos %s" without a daemon says so and ends with 3', async (line) => {
  const plain = await harness.run(line.split(' '));
  const json = await harness.run([...line.split(' '), '--json']);
  const expected = { code: 3, out: '', err: 'Kairos is not running. Start it with: kairos daemon start\n' };
  expect([plain, json]).toEqual([expected, expected]);
});

test('doctor works without a daemon and ends with 1, with JSON that says what to do', async () => {
  const { code, out, err } = await harness.run(['doctor', '--json']);
  const report = JSON.parse(out) as { checks: { name: string; state: string; next: string }[] };
  expect({ code, err, checks: report.checks.map(({ name, state }) => `${name} ${state}`) }).toEqual({
    code: 1,
    err: '',
    checks: [
      'daemon fail',
      'runtime ok',
      'build fail',
      'home ok',
      'lock ok',
      'settings ok',
      'disk ok',
      'store ok',
    ],
  });
  expect(report.checks[0]?.next).toBe('Start it with: kairos daemon start');
});

test('named pipes in the place of files keep no command waiting, and doctor names them', async () => {
  mkdirSync(harness.home.logsDir);
  for (const name of ['daemon.json', 'settings.json', 'supervisor.json', 'lock.db', 'store.db', 'logs/x.log'])
    execFileSync('mkfifo', ['-m', '600', join(harness.home.home, name)]);
  chmodSync(harness.home.home, 0o700);
  const said: string[] = [];
  for (const line of [
    'sessions',
    'daemon status',
    'daemon stop',
    'daemon start',
    'restore x',
    'logs',
    'doctor',
  ]) {
    const { code, out, err } = await harness.run(line.split(' '));
    const fails = out.split('\n').filter((found) => found.startsWith('FAIL'));
    said.push(`${code} ${[err.trim(), ...fails].join('|')}`.replaceAll(harness.home.home, 'HOME'));
  }
  const absent =
    '3 Kairos is not running ("HOME/daemon.json" is a named pipe, not a file). Start it with: kairos daemon start';
  const refused = '1 "HOME/lock.db" is a named pipe, not a file. Move it away, then start again.';
  expect(said.slice(0, 6)).toEqual([
    absent,
    absent,
    '3 Kairos is not running. Start it with: kairos daemon start',
    refused,
    refused,
    '1 There are no logs in HOME/logs yet. They begin with: kairos daemon start',
  ]);
  expect(said[6]?.split('|').slice(2)).toEqual([
    'FAIL build: Missing from HOME: supervisor.js, daemon.js, worker.js, parser.js, reader.js',
    'FAIL home: "HOME/lock.db" is a named pipe, not a file.',
    'FAIL lock: The lock file "HOME/lock.db" is a named pipe.',
    'FAIL settings: "HOME/settings.json" is a named pipe, not a file.',
    'FAIL store: "HOME/store.db" is a named pipe, not a file.',
  ]);
});

test('doctor names damaged settings, a damaged lock and an open home, each with what to do', async () => {
  writeFileSync(harness.home.settingsFile, '{');
  writeFileSync(
    harness.home.lockDb,
    'this is not a database, and it is long enough to be looked at'.repeat(40),
  );
  chmodSync(harness.home.home, 0o755);
  const { out } = await harness.run(['doctor']);
  expect(out.replaceAll(harness.home.home, 'HOME').split('\n').slice(6, 13)).toEqual([
    'FAIL home: "HOME" can be read by others.',
    '     Run: chmod 700 "HOME"',
    'FAIL lock: The lock file "HOME/lock.db" is damaged.',
    '     Delete it; it holds no data: rm "HOME/lock.db"',
    expect.stringContaining('FAIL settings: "HOME/settings.json" cannot be used:'),
    '     Correct it in an editor, or move it away for defaults.',
    expect.stringMatching(/^ok {3}disk: \d+ GB free$/),
  ]);
});

test('logs work without a daemon: lines of all files in order of time, in words and as JSON', async () => {
  const none = await harness.run(['logs']);
  mkdirSync(harness.home.logsDir);
  const write = (name: string, lines: unknown[]): void =>
    writeFileSync(
      join(harness.home.logsDir, name),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
  write('daemon.log', [
    { level: 30, time: '2026-11-30T08:00:01.000Z', pid: 1, msg: 'ready', url: 'u' },
    { level: 50, time: '2026-11-30T08:00:03.000Z', pid: 1, msg: 'broken' },
  ]);
  write('supervisor.log', [{ level: 40, time: Date.UTC(2026, 10, 30, 8, 0, 2), pid: 2, msg: 'slow' }]);
  const words = await harness.run(['logs', '--lines', '2']);
  const json = await harness.run(['daemon', 'logs', '--json']);
  expect({
    none: [none.code, none.err.includes('There are no logs in')],
    words: words.out.split('\n').map((line) => line.slice(20)),
    json: json.out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg),
  }).toEqual({
    none: [1, true],
    words: ['warn  supervisor: slow', 'error daemon: broken', ''],
    json: ['ready', 'slow', 'broken'],
  });
});

test('help and version need nothing', async () => {
  const [help, topic, version, unknown] = await Promise.all([
    harness.run([]),
    harness.run(['help', 'send']),
    harness.run(['--version']),
    harness.run(['help', 'frob']),
  ]);
  expect([help.code, help.out.split('\n')[0], topic.out.split('\n')[0], version.out, unknown]).toEqual([
    0,
    'Kairos, an always-on AI colleague.',
    'kairos send: give Kairos a message',
    'kairos 0.1.0\n',
    { code: 2, out: '', err: 'There is no command "frob". See: kairos --help\n' },
  ]);
});

test('the overall help fits a terminal of 100 columns', async () => {
  const { out } = await harness.run(['--help']);
  expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
});
