import { describe, expect, it } from 'vitest';
import { decide } from '../../../../shared/domain/permissions/policy.ts';
import type { PermissionMode } from '../../../../shared/domain/sessions.ts';
import { dir, factsOf, self } from './support.ts';

const hookFiles = [`${dir}/check.sh`, `${dir}/tools/lint`];

async function decided(call: string, mode: PermissionMode = 'bypassPermissions') {
  return decide({
    facts: await factsOf(call),
    mode,
    dir,
    rules: [],
    self,
    hookFiles,
    sandboxAutoAllow: true,
  });
}

describe('a change of a file that a hook runs asks in every mode', () => {
  it.each([
    'Write check.sh',
    'Edit tools/lint',
    'Edit link -> check.sh',
    'Bash echo x > check.sh',
    `Bash printf x >> ${dir}/check.sh`,
    'Bash cd tools && echo x > lint',
    'Bash tee ./check.sh',
    'Bash sed -i s/a/b/ CHECK.sh',
    'Bash cp /tmp/check.sh .',
    'Bash mv /tmp/x check.*',
    'Bash bash -c "echo x > check.sh"',
    'Bash bash other.sh check.sh',
    'Bash git checkout HEAD~1 -- check.sh',
  ])('%s', async (call) => {
    const { behavior, by } = await decided(call);
    expect([behavior, by, (await decided(call, 'dontAsk')).behavior]).toEqual([
      'ask',
      'protected: it changes what runs by itself later (a file that a hook runs)',
      'deny',
    ]);
  });

  it.each([
    'Read check.sh',
    'Edit other.sh',
    'Bash cat check.sh',
    'Bash ./check.sh',
    'Bash bash check.sh --all',
    'Bash git add check.sh',
    'Bash echo x > out.txt',
    'Bash cp a.sh b.sh',
  ])('%s changes none', async (call) => {
    expect((await decided(call)).behavior).toBe('allow');
  });
});
