import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsChanges } from '../../../electron/daemon/settings/change-settings.ts';
import { temporaryFolder } from '../../node/support/processes.ts';

describe('changing settings.json', () => {
  it('keeps everything else, also what this version does not know, and is readable by the person alone', async () => {
    const path = join(temporaryFolder(), 'settings.json');
    const before = {
      unknown: [1],
      models: { default: 'offline', failover: ['a/b'] },
      permissions: { deny: ['Bash'] },
    };
    writeFileSync(path, JSON.stringify(before));
    await settingsChanges(path).set('models', 'default', 'openai/x');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      ...before,
      models: { default: 'openai/x', failover: ['a/b'] },
    });
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  });

  it('makes the file when there is none; changes at once all stand, and no other file is left', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'settings.json');
    const changes = settingsChanges(path);
    await Promise.all([
      changes.set('models', 'a', 1),
      changes.set('models', 'b', 2),
      changes.set('logs', 'level', 'warn'),
    ]);
    expect([JSON.parse(readFileSync(path, 'utf8')), readdirSync(folder)]).toEqual([
      { models: { a: 1, b: 2 }, logs: { level: 'warn' } },
      ['settings.json'],
    ]);
  });

  it.each([
    ['{"models": ', /not valid JSON/],
    ['[]', /not a JSON object/],
    ['{"models": 5}', /"models" in it is not an object/],
  ])('leaves a broken file as it is: %s', async (text, message) => {
    const path = join(temporaryFolder(), 'settings.json');
    writeFileSync(path, text);
    const changes = settingsChanges(path);
    await expect(changes.set('models', 'default', 'x')).rejects.toMatchObject({
      code: 'settings_broken',
      message: expect.stringMatching(message),
    });
    expect(readFileSync(path, 'utf8')).toBe(text);
    writeFileSync(path, '{}');
    await changes.set('models', 'default', 'x');
    expect(readFileSync(path, 'utf8')).toContain('"default": "x"');
  });

  it('refuses what is no file', async () => {
    const path = join(temporaryFolder(), 'settings.json');
    mkdirSync(path);
    await expect(settingsChanges(path).set('models', 'default', 'x')).rejects.toMatchObject({
      code: 'settings_broken',
    });
  });
});
