import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { managedSettingsFile } from '../../../electron/daemon/settings/managed-file.ts';
import { readSettings } from '../../../electron/daemon/settings/settings-file.ts';
import { defaultSettings } from '../../../shared/domain/settings.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kairos-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(text: string): string {
  const path = join(folder, 'settings.json');
  writeFileSync(path, text);
  return path;
}

/** What holds when deny and ask rules cannot be known. */
const closed = { ...defaultSettings(), permissions: { allow: [], ask: ['*'], deny: [] } };

describe('settings.json', () => {
  it.each([
    ['that is absent', () => join(folder, 'absent.json')],
    ['that is an empty object', () => written('{}')],
  ])('%s means defaults, without a notice', (_title, path) => {
    expect(readSettings(path())).toEqual({ settings: defaultSettings(), notices: [] });
  });

  it('is taken section by section and left as it is', () => {
    const text = '{ "sessions": { "capacity": 3 }, "bridge": { "port": -1 } }';
    const path = written(text);
    const { settings, notices } = readSettings(path);
    expect([settings.sessions.capacity, settings.bridge, notices, readFileSync(path, 'utf8')]).toEqual([
      3,
      defaultSettings().bridge,
      [
        expect.stringMatching(
          /^settings\.json: section "bridge" is ignored and its defaults hold \(bridge\.port has to be /,
        ),
      ],
      text,
    ]);
  });

  it.each(['["x"]', '7', 'null', '"text"'])('that is %s and no object makes every tool ask', (text) => {
    const { settings, notices } = readSettings(written(text));
    expect([settings, notices]).toEqual([closed, [expect.stringContaining('is not a JSON object')]]);
  });

  it('that is a named pipe keeps nobody waiting and makes every tool ask', () => {
    const path = join(folder, 'pipe.json');
    execFileSync('mkfifo', [path]);
    expect(readSettings(path)).toEqual({
      settings: closed,
      notices: [expect.stringMatching(/^settings\.json is a named pipe, not a file: the defaults hold/)],
    });
  });

  it.each([
    ['cut off', '{ "permissions": { "deny": ["Ba'],
    ['no JSON at all', 'deny everything'],
    ['empty', ''],
  ])('that is %s makes every tool ask, and says so', (_title, text) => {
    expect(readSettings(written(text))).toEqual({
      settings: closed,
      notices: [
        expect.stringMatching(
          /^settings\.json is not valid JSON \(.+\): the defaults hold and every tool asks until it is mended, but those that keep to the conversation or stop a background task\.$/,
        ),
      ],
    });
  });

  it('that cannot be read makes every tool ask, and says so', () => {
    const path = join(folder, 'a-folder');
    mkdirSync(path);
    expect(readSettings(path)).toEqual({
      settings: closed,
      notices: [
        'settings.json is a directory, not a file: the defaults hold and every tool asks until it is mended, but those that keep to the conversation or stop a background task.',
      ],
    });
  });
});

describe('managed settings', () => {
  const managed = (text: string): string => {
    const path = join(folder, 'managed-settings.json');
    writeFileSync(path, text);
    return path;
  };

  it('go before the person’s, member by member; what sessions read by themselves stays out', () => {
    const own = written(
      JSON.stringify({ budgets: { dayUsd: 50, totalUsd: 9 }, permissions: { deny: ['Read'] } }),
    );
    const theirs = managed(
      JSON.stringify({ budgets: { dayUsd: 1 }, logs: { level: 'debug' }, permissions: { deny: ['Bash'] } }),
    );
    const { settings, notices } = readSettings(own, theirs);
    expect([settings.budgets, settings.logs, settings.permissions.deny, notices]).toEqual([
      { ...defaultSettings().budgets, dayUsd: 1, totalUsd: 9 },
      { level: 'debug' },
      ['Read'],
      [],
    ]);
  });

  it.each([
    ['that are absent change nothing', () => join(folder, 'none.json')],
    ['that are broken change nothing here: the reader of sessions makes everything ask', () => managed('{')],
  ])('%s', (_title, path) => {
    const own = written(JSON.stringify({ budgets: { dayUsd: 50 } }));
    expect(readSettings(own, path())).toEqual(readSettings(own));
  });

  it('hold also where the person’s file is broken', () => {
    const { settings } = readSettings(written('{'), managed(JSON.stringify({ budgets: { dayUsd: 1 } })));
    expect([settings.budgets.dayUsd, settings.permissions.ask]).toEqual([1, ['*']]);
  });

  it.each([
    ['linux', {}, '/etc/kairos/managed-settings.json'],
    ['darwin', {}, '/Library/Application Support/Kairos/managed-settings.json'],
    ['win32', { ProgramData: 'D:\\Data' }, 'D:\\Data\\Kairos\\managed-settings.json'],
  ] as const)('stand on %s where only an administrator writes', (platform, env, path) => {
    expect(managedSettingsFile(platform, env)).toBe(path);
  });
});
