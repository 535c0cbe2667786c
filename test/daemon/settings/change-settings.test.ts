import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsChanges } from '../../../electron/daemon/settings/change-settings.ts';
import { readSettings } from '../../../electron/daemon/settings/settings-file.ts';
import { defaultSettings } from '../../../shared/domain/settings.ts';
import { firstLine, fixture, goneWithin, start, temporaryFolder } from '../../node/support/processes.ts';

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

  it('keeps what somebody else saves while a change is made', async () => {
    const path = join(temporaryFolder(), 'settings.json');
    writeFileSync(path, '{"models": {"default": "offline"}}');
    let saves = 0;
    const changes = settingsChanges(path, async (file) => {
      const text = await readFile(file, 'utf8');
      saves += 1;
      if (saves <= 2)
        writeFileSync(path, JSON.stringify({ ...(JSON.parse(text) as object), [`saved${saves}`]: saves }));
      return text;
    });
    await changes.set('models', 'default', 'openai/x');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      models: { default: 'openai/x' },
      saved1: 1,
      saved2: 2,
    });
  });

  it('ends also when somebody never stops saving', async () => {
    const path = join(temporaryFolder(), 'settings.json');
    writeFileSync(path, '{}');
    let saves = 0;
    const changes = settingsChanges(path, async (file) => {
      saves += 1;
      writeFileSync(path, JSON.stringify({ saves }));
      return readFile(file, 'utf8');
    });
    await changes.set('models', 'default', 'openai/x');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      saves: expect.any(Number),
      models: { default: 'openai/x' },
    });
  });

  it('leaves an invalid section as it is: the others stand, it is ignored with a notice, nothing is reverted', async () => {
    const path = join(temporaryFolder(), 'settings.json');
    const before = { prompts: { expireAfterSeconds: 'soon' }, sessions: { capacity: 3 } };
    writeFileSync(path, JSON.stringify(before));
    await settingsChanges(path).set('models', 'default', 'openai/x');
    const { settings, notices } = readSettings(path);
    expect([
      JSON.parse(readFileSync(path, 'utf8')),
      settings.models.default,
      settings.sessions.capacity,
      settings.prompts,
      notices,
    ]).toEqual([
      { ...before, models: { default: 'openai/x' } },
      'openai/x',
      3,
      defaultSettings().prompts,
      [expect.stringContaining('prompts')],
    ]);
  });

  it('is never seen half done: a writer that is killed in the middle leaves the old file or the new one, whole', async () => {
    const path = join(temporaryFolder(), 'settings.json');
    const kept = { unknown: 'x'.repeat(200_000) };
    writeFileSync(path, JSON.stringify({ ...kept, models: { default: 'start/0' } }));
    const seen: boolean[][] = [];
    for (let round = 0; round < 5; round += 1) {
      const writer = start(process.execPath, [fixture(import.meta.url, 'settings-writer.ts'), path]);
      await firstLine(writer);
      writer.kill('SIGKILL');
      await goneWithin(writer.pid, 4_000);
      const file = JSON.parse(readFileSync(path, 'utf8')) as { unknown: string; models: { default: string } };
      seen.push([file.unknown === kept.unknown, /^[a-z]+\/\d+$/.test(file.models.default)]);
    }
    await settingsChanges(path).set('models', 'default', 'last/1');
    expect([seen, readSettings(path).settings.models.default]).toEqual([
      Array.from({ length: 5 }, () => [true, true]),
      'last/1',
    ]);
  });

  it('refuses what is no file', async () => {
    const path = join(temporaryFolder(), 'settings.json');
    mkdirSync(path);
    await expect(settingsChanges(path).set('models', 'default', 'x')).rejects.toMatchObject({
      code: 'settings_broken',
    });
  });
});
