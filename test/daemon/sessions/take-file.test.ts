import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../electron/node/clock.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';
import { takeFile, type TakePorts } from '../../../electron/daemon/sessions/take-file.ts';

function rig() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'kr-take-')));
  const stored: string[] = [];
  const ports: TakePorts = {
    store: {
      putFile: async (path) => {
        stored.push(path);
        return { hash: 'h', bytes: 1 };
      },
    },
    ids: createSystemIds(systemClock),
    scratch: async (session) => {
      mkdirSync(join(base, session), { recursive: true });
      return join(base, session);
    },
  };
  return { base, stored, ports };
}

async function* pieces(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield new TextEncoder().encode(part);
}

const message = (error: unknown): unknown => (error as { code?: unknown }).code ?? String(error);

test('A file comes into the inbox of its session, for its owner alone, and as a blob; sent twice it is there once.', async () => {
  const { base, stored, ports } = rig();
  const sent = { session: 's1', name: 'a b.txt' };
  const first = await takeFile(ports, { ...sent, content: pieces('hel', 'lo') });
  const again = await takeFile(ports, { ...sent, content: pieces('hello') });
  expect({
    first,
    again,
    stored,
    there: readdirSync(join(base, 's1', 'inbox')),
    content: readFileSync(first.path, 'utf8'),
    mode: statSync(first.path).mode & 0o777,
  }).toEqual({
    first: {
      path: join(base, 's1', 'inbox', '2cf24dba5fb0-a b.txt'),
      hash: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      name: 'a b.txt',
      bytes: 5,
    },
    again: first,
    stored: [first.path, first.path],
    there: ['2cf24dba5fb0-a b.txt'],
    content: 'hello',
    mode: 0o600,
  });
});

test('An empty file, one that breaks off, and one above the limit leave nothing behind.', async () => {
  const { base, stored, ports } = rig();
  const block = 'x'.repeat(1024 * 1024);
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(3);
    throw new Error('signed out');
  }
  const outcomes = [];
  for (const content of [pieces(), broken(), pieces(...Array.from({ length: 31 }, () => block))])
    outcomes.push(await takeFile(ports, { session: 's1', name: 'a', content }).then(() => 'taken', message));
  expect({ outcomes, there: readdirSync(join(base, 's1', 'inbox')), stored }).toEqual({
    outcomes: ['bad_input', 'Error: signed out', 'too_large'],
    there: [],
    stored: [],
  });
});

test('A link in place of the inbox leads no file elsewhere.', async () => {
  const { base, ports } = rig();
  mkdirSync(join(base, 'elsewhere'));
  mkdirSync(join(base, 's1'));
  symlinkSync(join(base, 'elsewhere'), join(base, 's1', 'inbox'));
  const outcome = await takeFile(ports, { session: 's1', name: 'a', content: pieces('x') }).then(
    () => 'taken',
    message,
  );
  expect({
    outcome,
    there: readdirSync(join(base, 'elsewhere')),
    exists: existsSync(join(base, 's1', 'inbox', 'a')),
  }).toEqual({
    outcome: 'bad_file',
    there: [],
    exists: false,
  });
});
