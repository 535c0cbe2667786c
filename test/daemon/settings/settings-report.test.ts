import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingsReport } from '../../../electron/daemon/settings/settings-report.ts';
import { defaultSettings } from '../../../shared/domain/settings.ts';

function report(own: unknown, managed?: unknown) {
  const folder = mkdtempSync(join(tmpdir(), 'kr-set-'));
  const [file, managedFile] = [join(folder, 'settings.json'), join(folder, 'managed.json')];
  writeFileSync(file, typeof own === 'string' ? own : JSON.stringify(own));
  if (managed !== undefined) writeFileSync(managedFile, JSON.stringify(managed));
  const made = settingsReport(file, managedFile, defaultSettings());
  const entry = (name: string) => made.entries.find((one) => one.name === name);
  return { made, entry, managedFile };
}

test('Each value names who says it, and what holds only after a restart.', () => {
  const { made, entry, managedFile } = report(
    { sessions: { capacity: 4 }, permissions: { deny: ['Bash(rm:*)'] }, logs: { level: 'debug' } },
    { logs: { level: 'warn' } },
  );
  expect({
    rows: ['sessions.capacity', 'sessions.defaultMode', 'permissions.deny', 'logs.level', 'defaultView'].map(
      entry,
    ),
    managedFile: made.managedFile,
    notices: made.notices,
  }).toEqual({
    rows: [
      { name: 'sessions.capacity', value: '4', source: 'settings', later: true },
      { name: 'sessions.defaultMode', value: '"default"', source: 'default', later: false },
      { name: 'permissions.deny', value: '["Bash(rm:*)"]', source: 'settings', later: false },
      { name: 'logs.level', value: '"warn"', source: 'managed', later: true },
      { name: 'defaultView', value: '"transcript"', source: 'default', later: false },
    ],
    managedFile,
    notices: [],
  });
});

test('Nothing secret is told: variables show their names, members that are called so are masked.', () => {
  const { made } = report({
    env: { set: { DEPLOY: 'hunter2' } },
    models: {
      providers: { mine: { wire: 'openai', baseUrl: 'http://x', keyEnv: 'MY_KEY', apiKey: 'hunter2' } },
    },
  });
  const text = JSON.stringify(made);
  expect([text.includes('hunter2'), text.includes('DEPLOY'), text.includes('MY_KEY')]).toEqual([
    false,
    true,
    true,
  ]);
});

test('A broken file says nothing, the defaults stand there and why.', () => {
  const { made, entry } = report('{');
  expect([entry('sessions.capacity')?.source, made.notices.length > 0, made.managedFile]).toEqual([
    'default',
    true,
    null,
  ]);
});
