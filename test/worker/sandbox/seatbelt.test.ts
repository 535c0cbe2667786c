import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../electron/node/clock.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';
import type { Command } from '../../../electron/worker/sandbox/entered.ts';
import { enterSeatbelt } from '../../../electron/worker/sandbox/seatbelt.ts';
import { runShell } from '../../../electron/worker/tools/run-shell.ts';
import { noSandbox, type SandboxConfig } from '../../../shared/domain/sandbox.ts';
import { mayOnPath } from '../../node/support/seatbelt-reader.ts';
import { type SandboxBench, sandboxBench } from './support.ts';

let bench: SandboxBench;
let folder: string;
let program: string;
beforeEach(() => {
  bench = sandboxBench();
  folder = join(bench.scratch, '.sandbox');
  mkdirSync(folder);
  // In place of sandbox-exec, which only Macs have: runs what it is given.
  program = join(bench.root, 'sandbox-exec');
  writeFileSync(program, '#!/bin/sh\nshift 2\nexec "$@"\n');
  chmodSync(program, 0o755);
});
afterEach(() => bench.remove());

const ids = createSystemIds(systemClock);
const enter = (
  config: Partial<SandboxConfig> = {},
  command: Command = { program: '/bin/sh', args: ['-c', 'true'] },
  environment: Readonly<Record<string, string>> = {},
) =>
  enterSeatbelt({
    program,
    command,
    dir: bench.dir,
    environment: { HOME: bench.person, ...environment },
    config: { ...noSandbox, ...config },
    home: bench.home,
    scratch: bench.scratch,
    folder,
    linked: null,
    ids,
  });

/** Places of every kind around a session directory, with the session's own temp folder. */
function placesAround(temp: string): readonly string[] {
  const { dir, home, person, scratch } = bench;
  return [
    join(dir, 'a'),
    join(dir, '.git'),
    join(dir, '.git/hooks/x'),
    join(dir, '.git/config'),
    join(dir, '.git/commondir'),
    join(dir, 'deep'),
    join(dir, 'deep/er'),
    join(dir, 'deep/er/.git/hooks'),
    join(dir, 'deep/er/.git/objects/x'),
    join(dir, '.mcp.json'),
    join(dir, '.MCP.JSON'),
    join(dir, '.config'),
    join(dir, '.vscode'),
    join(person, 'more/x'),
    join(person, 'other'),
    join(person, '.ssh/id'),
    join(home, 'daemon.json'),
    join(scratch, 'x'),
    join(folder, 'x'),
    join(temp, 'x'),
    '/private/tmp/x',
  ];
}

describe('a command made ready for a Mac', () => {
  test('runs by sandbox-exec with a profile and a temp folder of its own, which are gone when it has left', async () => {
    const entered = await enter({}, undefined, { SSH_AUTH_SOCK: '/s', HTTPS_PROXY: 'http://corp' });
    const [option, profile = '', ...rest] = entered.args;
    const temp = entered.env.TMPDIR ?? '';
    expect({ ...entered, args: [option, ...rest], leave: null }).toEqual({
      program,
      args: ['-f', '/bin/sh', '-c', 'true'],
      env: { HOME: bench.person, TMPDIR: temp, KAIROS_SANDBOX: '1' },
      filter: null,
      leave: null,
    });
    expect([existsSync(profile), existsSync(temp), readdirSync(folder).length]).toEqual([true, true, 2]);
    expect([await entered.leave(), readdirSync(folder)]).toEqual([[], []]);
  });

  test('may do at each place what bubblewrap lets it, and make nothing where something protected could be', async () => {
    const { dir, person } = bench;
    for (const path of ['.git/hooks', 'deep/er/.git/hooks', 'own', '.vscode-real'])
      mkdirSync(join(dir, path), { recursive: true });
    mkdirSync(join(person, '.ssh'));
    mkdirSync(join(person, 'more'));
    writeFileSync(join(dir, '.git/config'), '');
    symlinkSync('.vscode-real', join(dir, '.vscode'));
    const entered = await enter({ write: [join(person, 'more')] });
    const profile = readFileSync(entered.args[1] ?? '', 'utf8');
    const can = (path: string): string =>
      (['file-read-data', 'file-write-create', 'file-write-unlink'] as const)
        .filter((operation) => mayOnPath(profile, operation, path))
        .map((operation) => operation.split('-').at(-1))
        .join(' ');
    const all = 'data create unlink';
    expect(
      Object.fromEntries(
        placesAround(entered.env.TMPDIR ?? '').map((path) => [
          path.replace(entered.env.TMPDIR ?? '', '$TMPDIR').replace(person, '~'),
          can(path),
        ]),
      ),
    ).toEqual({
      '~/work/a': all,
      '~/work/.git': 'data create',
      '~/work/.git/hooks/x': 'data',
      '~/work/.git/config': 'data',
      '~/work/.git/commondir': 'data',
      '~/work/deep': 'data create',
      '~/work/deep/er': 'data create',
      '~/work/deep/er/.git/hooks': 'data',
      '~/work/deep/er/.git/objects/x': all,
      '~/work/.mcp.json': 'data',
      '~/work/.MCP.JSON': 'data',
      '~/work/.config': 'data',
      '~/work/.vscode': 'data',
      '~/more/x': all,
      '~/other': 'data',
      '~/.ssh/id': '',
      '~/.kairos/daemon.json': '',
      '~/.kairos/scratch/s1/x': all,
      '~/.kairos/scratch/s1/.sandbox/x': '',
      '$TMPDIR/x': all,
      '/private/tmp/x': '',
    });
    await entered.leave();
  });

  test('reaches hosts by a proxy of its own, ports that settings name directly, and never Kairos', async () => {
    writeFileSync(join(bench.home, 'daemon.json'), JSON.stringify({ port: 4001 }));
    const entered = await enter({ allow: ['only.example', 'localhost:4000', 'localhost:4001'] });
    const proxy = entered.env.HTTPS_PROXY ?? '';
    const port = new URL(proxy).port;
    const profile = readFileSync(entered.args[1] ?? '', 'utf8');
    const names = ['HTTP_PROXY', 'https_proxy', 'ALL_PROXY', 'NO_PROXY'];
    expect([names.map((name) => entered.env[name]), profile.match(/localhost:\d+/g)]).toEqual([
      [proxy, proxy, `socks5h://127.0.0.1:${port}`, 'localhost,127.0.0.1,::1'],
      [`localhost:${port}`, 'localhost:4000'],
    ]);
    const answer = await fetch(`${proxy}/`).then((response) => response.status);
    const notes = await entered.leave();
    const gone = await fetch(`${proxy}/`).catch((error: { cause?: { code?: string } }) => error.cause?.code);
    expect([answer, notes, gone]).toEqual([400, [], 'ECONNREFUSED']);
  });

  test('is not made ready in a folder that cannot be named, and leaves nothing of it', async () => {
    mkdirSync(join(bench.person, 'line\nbreak'));
    await expect(enter({ denyRead: ['~/line\nbreak'], allow: ['a.example'] })).rejects.toMatchObject({
      code: 'no_place',
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('runs in a shell like any other and ends with its group; what it made where it may not is put aside', async () => {
    const chunks: Uint8Array[] = [];
    const run = {
      dir: bench.dir,
      environment: { PATH: '/usr/bin:/bin' },
      timeoutMs: 20_000,
      scratch: bench.scratch,
    };
    const end = await runShell(
      {
        ...run,
        command: 'echo "$KAIROS_SANDBOX"; echo x > .mcp.json',
        sandbox: { enter: (command, { environment }) => enter({}, command, environment) },
      },
      async (chunk) => void chunks.push(Buffer.from(chunk)),
      new AbortController().signal,
      { clock: systemClock, ids },
    );
    expect([
      Buffer.concat(chunks).toString(),
      end.exit.code,
      end.notes.length,
      existsSync(join(bench.dir, '.mcp.json')),
    ]).toEqual(['1\n', 0, 1, false]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
