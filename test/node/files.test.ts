import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { writeFileAtomic, writeJsonAtomic } from '../../electron/node/atomic-file.ts';
import { readJsonFile } from '../../electron/node/json-file.ts';
import { openLogFile } from '../../electron/node/log-file.ts';
import { createLogger } from '../../electron/node/logger.ts';
import { createSecretMask } from '../../electron/node/mask-secrets.ts';
import { replaceFileSync } from '../../electron/node/replace-file.ts';
import { temporaryFolder } from './support/processes.ts';

const schema = z.object({ port: z.int() });

describe('files written in one step', () => {
  test('are complete, for their owner only, and leave nothing beside them', async () => {
    const folder = temporaryFolder();
    await Promise.all([1, 2, 3].map((port) => writeJsonAtomic(join(folder, 'a.json'), { port })));
    await writeFileAtomic(join(folder, 'b'), new Uint8Array([1, 2]));
    replaceFileSync(join(folder, 'c'), 'old');
    replaceFileSync(join(folder, 'c'), 'new');
    expect(await readJsonFile(join(folder, 'a.json'), schema)).toEqual({ port: 3 });
    expect([...readFileSync(join(folder, 'b'))]).toEqual([1, 2]);
    expect(readFileSync(join(folder, 'c'), 'utf8')).toBe('new');
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([
      0o600, 0o600, 0o600,
    ]);
  });

  test('that cannot be written say why', async () => {
    await expect(writeFileAtomic('/no/such/file', 'x')).rejects.toMatchObject({ code: 'file-not-written' });
  });
});

test.each([
  ['missing', undefined, 'file-missing', /does not exist/],
  ['no JSON', '{"port": 1', 'file-not-json', /not valid JSON/],
  ['of the wrong shape', '{"port": "1"}', 'file-wrong-shape', /at port/],
])('a JSON file that is %s gives a typed error', async (_what, content, code, message) => {
  const path = join(temporaryFolder(), 'file.json');
  if (content !== undefined) writeFileSync(path, content);
  await expect(readJsonFile(path, schema)).rejects.toMatchObject({
    name: 'FileError',
    code,
    path,
    message: expect.stringMatching(message),
  });
});

describe('a log file', () => {
  test('is rotated by size and keeps three older ones', () => {
    const path = join(temporaryFolder(), 'x.log');
    const log = openLogFile(path, { maxBytes: 10 });
    for (let line = 1; line <= 11; line += 1) log.write(`line ${String(line).padStart(2, '0')}\n`);
    const read = (name: string): string => readFileSync(`${path}${name}`, 'utf8');
    expect(['', '.1', '.2', '.3'].map(read)).toEqual([
      'line 11\n',
      'line 09\nline 10\n',
      'line 07\nline 08\n',
      'line 05\nline 06\n',
    ]);
    expect(readdirSync(join(path, '..')).length).toBe(4);
    log.close();
  });

  test('shared by two writers loses no line when one rotates it', () => {
    const path = join(temporaryFolder(), 'x.log');
    const logs = [openLogFile(path, { maxBytes: 40 }), openLogFile(path, { maxBytes: 40 })];
    for (let line = 0; line < 12; line += 1) logs[line % 2]?.write(`line ${String(line).padStart(2, '0')}\n`);
    const text = ['.3', '.2', '.1', ''].map((name) => {
      try {
        return readFileSync(`${path}${name}`, 'utf8');
      } catch {
        return '';
      }
    });
    expect(text.join('').trimEnd().split('\n').sort()).toEqual(
      Array.from({ length: 12 }, (_, line) => `line ${String(line).padStart(2, '0')}`),
    );
  });

  test('masks credentials by shape and by value', () => {
    const logsDir = temporaryFolder();
    const mask = createSecretMask();
    mask.add('correct horse "battery"');
    const log = createLogger({ logsDir, process: 'daemon', mask });
    log.info(
      { botToken: 'abcdef', header: 'Bearer abcdefghijkl', usage: { inputTokens: 12 } },
      'key sk-ant-REDACTED',
    );
    log.warn(
      { env: 'GITHUB_TOKEN=ghp_abcdefghijkl HOME=/x' },
      'said correct horse "battery" to https://me:pass@host/x',
    );
    log.debug({}, 'not shown');
    const text = readFileSync(join(logsDir, 'daemon.log'), 'utf8');
    const [first, second, rest] = text.split('\n');
    expect(rest).toBe('');
    expect(JSON.parse(first ?? '')).toMatchObject({
      level: 30,
      botToken: '[masked]',
      header: 'Bearer [masked]',
      usage: { inputTokens: 12 },
      msg: 'key sk-[masked]',
    });
    expect(JSON.parse(second ?? '')).toMatchObject({
      env: 'GITHUB_TOKEN=[masked] HOME=/x',
      msg: 'said [masked] to https://me:[masked]@host/x',
    });
  });
});
