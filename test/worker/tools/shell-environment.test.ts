import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../electron/node/clock.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';
import { runShell } from '../../../electron/worker/tools/run-shell.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kairos-env-'));
  writeFileSync(join(dir, 'start'), 'ls() { echo replaced; }; echo read-before');
  writeFileSync(join(dir, '.bashrc'), 'echo read-bashrc');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** What a command prints with these variables besides the usual ones. */
async function output(command: string, variables: Record<string, string>): Promise<string> {
  const chunks: Uint8Array[] = [];
  const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: dir, ...variables };
  const run = { command, dir, environment, timeoutMs: 10_000, scratch: dir };
  const ports = { clock: systemClock, ids: createSystemIds(systemClock) };
  await runShell(run, async (chunk) => void chunks.push(chunk), new AbortController().signal, ports);
  return Buffer.concat(chunks).toString('utf8');
}

test.each<[string, Record<string, string>, string, string]>([
  ['a start file (BASH_ENV)', { BASH_ENV: 'start' }, 'ls start', 'start\n'],
  ['a start file (ENV)', { ENV: 'start', POSIXLY_CORRECT: '1' }, 'ls start', 'start\n'],
  ['a login over ssh', { SSH_CLIENT: '1 2 3', SSH2_CLIENT: '1', SHLVL: '0' }, 'echo a', 'a\n'],
  ['an exported function', { 'BASH_FUNC_ls%%': '() { echo replaced; }' }, 'ls start', 'start\n'],
  ['an exported function of an old bash', { ls: '() { echo replaced; }' }, 'ls start', 'start\n'],
  [
    'a function for child shells',
    { 'BASH_FUNC_ls%%': '() { echo replaced; }' },
    'bash -c "ls start"',
    'start\n',
  ],
  [
    'a place that cd looks in',
    { CDPATH: '/' },
    'cd tmp || echo none',
    'bash: line 1: cd: tmp: No such file or directory\nnone\n',
  ],
  ['options of the shell', { SHELLOPTS: 'noglob:xtrace', BASHOPTS: 'extglob' }, 'echo s*', 'start\n'],
  ['what traces run', { PS4: '$(echo traced)', SHELLOPTS: 'xtrace' }, 'echo a', 'a\n'],
  ['patterns that are ignored', { GLOBIGNORE: 'start' }, 'echo s*', 'start\n'],
  ['how words are split', { IFS: 'x' }, 'a="1x2"; printf "[%s]" $a', '[1x2]'],
])('%s in the environment does not change what a command means', async (_, variables, command, expected) => {
  expect((await output(command, variables)).replace('/bin/bash', 'bash')).toBe(expected);
});
