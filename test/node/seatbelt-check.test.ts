import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findSandbox } from '../../electron/node/sandbox-state.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kairos-seatbelt-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A stand-in for sandbox-exec: a shell script that gets `-f profile program ...` and the variables of the check. */
function standIn(...lines: readonly string[]): string {
  const path = join(folder, 'sandbox-exec');
  writeFileSync(path, ['#!/bin/bash', ...lines].join('\n'));
  chmodSync(path, 0o755);
  return path;
}

/** What comes of a command in a sandbox that works. */
const works = ['echo started', 'echo x > "$work/made"', ': > "/dev/tcp/127.0.0.1/$open"'];
const node = process.execPath;
const missing = (problem: string) => ({
  kind: 'missing',
  why: `The sandbox of macOS does not do here what it has to (${problem}).`,
  next: 'Set sandbox.mode to off: every command then asks.',
});

describe('whether there is a sandbox on a Mac', () => {
  test('there is, when everything forbidden fails and everything allowed succeeds', async () => {
    const program = standIn('[ "$1" = -f ] && grep -q "(deny default)" "$2" || exit 65', ...works);
    expect(await findSandbox('darwin', program)).toEqual({ kind: 'ready', by: 'seatbelt', program });
  });

  test.each<[string, readonly string[]]>([
    ['what may be written could not be', works.toSpliced(1, 1)],
    ['a connection that is allowed failed', works.toSpliced(2, 1)],
    ['what is hidden could be read', [...works, 'cat "$hidden/secret"']],
    ['a file outside could be made', [...works, 'echo x > "$outside/made"']],
    ['a file outside could be changed', [...works, 'echo x > "$outside/kept"']],
    ['a protected folder could be written to', [...works, 'echo x > "$work/.git/hooks/made"']],
    ['a protected folder could be moved', [...works, 'mv "$work/.git" "$work/moved"']],
    ['a protected file could be made', [...works, 'echo x > "$work/.MCP.json"']],
    ['a connection that is not allowed succeeded', [...works, ': > "/dev/tcp/127.0.0.1/$closed"']],
    [
      'a Unix socket could be reached',
      [...works, `'${node}' -e 'require("net").connect(process.env.socket).on("close", () => {})'`],
    ],
    ['processes outside could be signalled', [...works, 'kill -0 "$outer" && echo reached another process']],
    ['sandbox-exec: profile: syntax error', ['echo "sandbox-exec: profile: syntax error" >&2', 'exit 65']],
    ['nothing ran in it', []],
  ])('there is none when %s', async (problem, script) => {
    expect(await findSandbox('darwin', standIn(...script))).toEqual(missing(problem));
  });

  test('a program that shuts in nothing is found out, by the attempts of the check itself', async () => {
    expect(await findSandbox('darwin', standIn('shift 2', 'exec "$@"'))).toEqual(
      missing('what is hidden could be read'),
    );
  });

  test('there is none without the program, and nothing of the check is left', async () => {
    const program = join(folder, 'gone');
    expect(await findSandbox('darwin', program)).toEqual(
      missing(`nothing ran in it: spawn ${program} ENOENT`),
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

test.each([
  ['win32', 'Windows'],
  ['freebsd', 'freebsd'],
] as const)('on %s there is none, and it says so', async (platform, name) => {
  expect(await findSandbox(platform)).toEqual({
    kind: 'missing',
    why: `There is no sandbox for ${name} in this version.`,
    next: 'Set sandbox.mode to off: every command then asks.',
  });
});
