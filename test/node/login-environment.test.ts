import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../electron/node/clock.ts';
import { parseShellOutput } from '../../electron/node/environment-text.ts';
import { createSystemIds } from '../../electron/node/ids.ts';
import { readLoginEnvironment } from '../../electron/node/login-environment.ts';
import { allGoneWithin, below, temporaryFolder } from './support/processes.ts';

const ids = createSystemIds(systemClock);

/** A home whose bash start-up file is `profile`. */
function shellHome(profile: string): string {
  const home = temporaryFolder();
  writeFileSync(join(home, '.bash_profile'), profile);
  return home;
}

const ask = (env: Record<string, string>, timeoutMs = 4_000) =>
  readLoginEnvironment({ env: { PATH: '/usr/bin:/bin', ...env }, clock: systemClock, ids, timeoutMs });

describe('the login environment', () => {
  test('is what the start-up files of the shell make, whatever they print', async () => {
    const profile = `
      echo "Welcome!"; echo "A=1" >&2; printf 'odd\\0bytes\\0'
      env() { echo shadowed; }
      export PATH="/opt/tools:$PATH" LINES_IN="one
two" EMPTY= KEPT='a=b'
      sleep 30 &`;
    const { env, source, shell } = await ask({
      SHELL: '/bin/bash',
      HOME: shellHome(profile),
      ONLY_HERE: 'yes',
    });
    expect({ source, shell }).toEqual({ source: 'login-shell', shell: '/bin/bash' });
    expect(env).toMatchObject({
      PATH: expect.stringMatching(/^\/opt\/tools:\//),
      LINES_IN: 'one\ntwo',
      EMPTY: '',
      KEPT: 'a=b',
      ONLY_HERE: 'yes',
    });
    expect(Object.keys(env)).not.toContain('KAIROS_RESOLVING_ENVIRONMENT');
    expect(Object.keys(env)).not.toContain('SHLVL');
  });

  test.runIf(existsSync('/bin/dash'))('of dash is read, with `_` in the environment too', async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, '.profile'), 'export FROM_PROFILE=yes _=exported');
    const { env, source, reason } = await ask({ SHELL: '/bin/dash', HOME: home, _: '/usr/bin/kairos' });
    expect({ source, reason, profile: env.FROM_PROFILE, own: env._ }).toEqual({
      source: 'login-shell',
      reason: undefined,
      profile: 'yes',
      own: undefined,
    });
  });

  test('of a shell that hangs is our own after the time-out, and the shell is gone', {
    timeout: 15_000,
  }, async () => {
    const env = { SHELL: '/bin/bash', HOME: shellHome('trap "" TERM; while :; do sleep 30; done'), X: '1' };
    const answer = ask(env, 300);
    const answered = await answer;
    expect(answered).toEqual({
      env: { PATH: '/usr/bin:/bin', ...env },
      source: 'process',
      shell: '/bin/bash',
      reason: '"/bin/bash" did not answer within 0.3 s',
      mend: 'Mend the start-up files of your shell',
    });
    // It is asked to end for 3 s before it is killed.
    expect(await allGoneWithin(await below(process.pid), 8_000)).toBe(true);
  });

  test.each([
    ['is missing', '/no/such/shell', '"/no/such/shell" does not exist', 'Set SHELL to a shell that exists'],
    [
      'is no program',
      '/etc/passwd',
      '"/etc/passwd" may not be executed',
      'Set SHELL to a shell that you may run',
    ],
    [
      'ends at once',
      '/bin/false',
      '"/bin/false" ended with code 1 and printed no variables',
      'Set SHELL to your shell, or mend its start-up files',
    ],
    [
      'is another program',
      process.execPath,
      `"${process.execPath}" ended with code 9 and printed no variables`,
      'Set SHELL to your shell, or mend its start-up files',
    ],
  ])('of a shell that %s is our own, with the reason and what to do', async (_what, shell, reason, mend) => {
    expect(await ask({ SHELL: shell, HOME: temporaryFolder() })).toMatchObject({
      source: 'process',
      shell,
      reason,
      mend,
    });
  });

  test('is not asked for from a shell that cannot print NUL-separated variables', async () => {
    const shell = join(temporaryFolder(), 'shell');
    writeFileSync(
      shell,
      '#!/bin/sh\nfor last; do :; done\nmarker=${last##* %s }; marker=${marker%%;*}\necho "${marker}A=1\nB=2\n$marker"\n',
    );
    chmodSync(shell, 0o700);
    expect(await ask({ SHELL: shell, HOME: temporaryFolder() })).toMatchObject({ source: 'process' });
  });
});

test.each([
  ['both markers', 'noise@@A=1\0B=x=y\0_=/bin/env\0@@noise', { A: '1', B: 'x=y' }],
  ['the marker in a value', '@@A=1\0_=@@\0B=2\0@@', { A: '1', B: '2' }],
  ['one marker', 'noise@@A=1\0', undefined],
  ['no NUL', '@@A=1\n@@', undefined],
  ['nothing', '', undefined],
])('shell output with %s is read', (_what, output, expected) => {
  expect(parseShellOutput(output, '@@')).toEqual(expected);
});
