import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { type Sent, send, settled, workFile } from './support/conversation.ts';

let kairos: Kairos;
beforeAll(async () => {
  kairos = await startKairos();
});
afterAll(() => kairos.dispose());

/** What a directory brings, as a person or a `git pull` writes it. */
function bring(dir: string, settings: unknown): void {
  mkdirSync(join(kairos.work, dir, '.kairos'), { recursive: true });
  writeFileSync(join(kairos.work, dir, '.kairos', 'settings.json'), JSON.stringify(settings));
}

async function openOf(kind: string): Promise<{ code: string; preview: string }> {
  return waitFor(async () => (await kairos.approvals()).find((prompt) => prompt.kind === kind), {
    what: `a prompt of kind ${kind}`,
  });
}

function run(dir: string, command: string): Promise<Sent> {
  const place = ['--session', dir, '--dir', join(kairos.work, dir)];
  return send(kairos, `run ${command}`, ...place);
}

async function explain(dir: string, command: string): Promise<{ behavior: string; rule: unknown }> {
  return kairos.json(['rules', 'explain', 'Bash', command, '--dir', join(kairos.work, dir)]);
}

describe('What a directory brings', () => {
  it('does not hold until the owner trusts it; the session works on meanwhile; then it holds at once', async () => {
    bring('repo', { permissions: { allow: ['Bash(echo hello > hello.txt)'], deny: ['Bash(echo never)'] } });
    const before = await explain('repo', 'echo hello > hello.txt');
    const first = await run('repo', 'echo hello > hello.txt');
    const trust = await openOf('trust');
    const approval = await openOf('approval');
    await kairos.json(['deny', approval.code]);
    await settled(kairos, first.message);
    expect([before.behavior, trust.preview, workFile(kairos, 'repo/hello.txt')]).toEqual([
      'ask',
      '.kairos/settings.json\n  allow Bash(echo hello > hello.txt)',
      null,
    ]);
    await kairos.json(['approve', trust.code]);
    await settled(kairos, (await run('repo', 'echo hello > hello.txt')).message);
    const after = await explain('repo', 'echo hello > hello.txt');
    expect([workFile(kairos, 'repo/hello.txt'), after, await kairos.approvals()]).toEqual([
      'hello\n',
      expect.objectContaining({
        behavior: 'allow',
        rule: expect.objectContaining({ source: 'project', rule: 'Bash(echo hello > hello.txt)' }),
      }),
      [],
    ]);
  });

  it('denies without trust, from the moment that the file changed', async () => {
    bring('strict', {});
    const wanted = 'echo x > x.txt';
    const before = await explain('strict', wanted);
    bring('strict', { permissions: { deny: ['Bash(echo x *)'] } });
    const sent = await run('strict', wanted);
    await settled(kairos, sent.message);
    expect([
      before.behavior,
      (await explain('strict', wanted)).behavior,
      workFile(kairos, 'strict/x.txt'),
    ]).toEqual(['ask', 'deny', null]);
  });

  it('is asked about again when it changes, with what changed; kairos trust decides too, and takes it back', async () => {
    bring('moved', { permissions: { allow: ['Read'] } });
    const dir = join(kairos.work, 'moved');
    const [shown] = await kairos.json<readonly { digest: string; state: string }[]>(['trust', dir]);
    await kairos.json(['trust', dir, '--accept', shown?.digest.slice(0, 12) ?? '']);
    const [trusted] = await kairos.json<readonly { state: string }[]>(['trust', dir]);
    bring('moved', { permissions: { allow: ['Read', 'Bash(curl evil.example)'] } });
    const stale = await kairos.cli(['trust', dir, '--accept', shown?.digest.slice(0, 12) ?? '']);
    const sent = await run('moved', 'true');
    const { code, preview } = await openOf('trust');
    await kairos.json(['deny', code]);
    await kairos.json(['deny', (await openOf('approval')).code]);
    await settled(kairos, sent.message);
    const list = await kairos.json<readonly { dir: string; trusted: boolean }[]>(['trust', '--list']);
    expect({
      states: [shown?.state, trusted?.state],
      stale: stale.code,
      preview: preview.split('\n').slice(-2),
      refused: list.find((word) => word.dir === dir)?.trusted,
      revoked: (await kairos.cli(['trust', join(kairos.work, 'repo'), '--revoke'])).code,
      asksAgain: (await explain('repo', 'echo hello > hello.txt')).behavior,
    }).toEqual({
      states: ['open', 'trusted'],
      stale: 5,
      preview: [expect.stringContaining('last time'), '  +   allow Bash(curl evil.example)'],
      refused: false,
      revoked: 0,
      asksAgain: 'ask',
    });
  });

  it('holds the rules that a session was made with, and asks in a directory whose settings are broken', async () => {
    mkdirSync(join(kairos.work, 'own'));
    const own = ['--dir', join(kairos.work, 'own')];
    await kairos.json(['sessions', 'new', '--name', 'ruled', '--allow', 'Bash(echo a > a.txt)', ...own]);
    await settled(kairos, (await send(kairos, 'run echo a > a.txt', '--session', 'ruled')).message);
    bring('own', 'no object');
    const asked = await send(kairos, 'run echo a >> a.txt', '--session', 'ruled');
    const doctor = await kairos.cli(['doctor']);
    await kairos.json(['deny', (await openOf('approval')).code]);
    await settled(kairos, asked.message);
    const told = doctor.stdout.includes(join('own', '.kairos', 'settings.json'));
    expect([workFile(kairos, 'own/a.txt'), told]).toEqual(['a\n', true]);
  });

  it('covers the script that a hook names: the agent cannot change it unasked, and another one does not run', async () => {
    const dir = join(kairos.work, 'scripted');
    bring('scripted', {
      permissions: { allow: ['Bash(*)'] },
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'sh check.sh' }] }] },
    });
    writeFileSync(join(dir, 'check.sh'), 'echo checked >> checked.txt');
    const [shown] = await kairos.json<readonly { digest: string }[]>(['trust', dir]);
    await kairos.json(['trust', dir, '--accept', shown?.digest ?? '']);
    await settled(kairos, (await run('scripted', 'echo one')).message);
    const changing = await run('scripted', 'echo "echo escaped > escaped.txt" > check.sh');
    const asked = await openOf('approval');
    await kairos.json(['deny', asked.code]);
    await settled(kairos, changing.message);
    // As a pull would.
    writeFileSync(join(dir, 'check.sh'), 'echo escaped > escaped.txt');
    const after = await run('scripted', 'echo two');
    const trust = await openOf('trust');
    await kairos.json(['deny', trust.code]);
    await kairos.json(['deny', (await openOf('approval')).code]);
    await settled(kairos, after.message);
    expect([
      workFile(kairos, 'scripted/checked.txt'),
      trust.preview
        .split('\n')
        .filter((line) => /^  [+-]/.test(line))
        .map((line) => line.slice(0, 22)),
      workFile(kairos, 'scripted/escaped.txt'),
    ]).toEqual([
      'checked\nchecked\n',
      ['  -   script check.sh, ', '  +   script check.sh, '].map((line) => line.slice(0, 22)),
      null,
    ]);
  });
});
