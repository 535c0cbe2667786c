import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Kairos, startKairos } from '../support/real/kairos.ts';
import { waitFor } from '../support/real/wait-for.ts';
import { type Sent, replyText, settled, send, workFile } from './support/conversation.ts';

let kairos: Kairos;
beforeAll(async () => {
  kairos = await startKairos();
});
afterAll(() => kairos.dispose());

/** A command that waits for a person; the code of its prompt. */
async function waiting(session: string, command: string): Promise<{ code: string; message: string }> {
  const { message } = await send(kairos, `run ${command}`, '--session', session);
  return { code: (await kairos.approval()).code, message };
}

async function codes(): Promise<string[]> {
  return (await kairos.json<readonly { code: string }[]>(['approvals'])).map(({ code }) => code);
}

describe('A command that waits for a person', () => {
  it('runs as soon as the mode lets it, and its question is gone', async () => {
    const { code, message } = await waiting('opened', 'echo x > opened.txt');
    await kairos.cli(['mode', 'opened', 'bypassPermissions']);
    const { state } = await settled(kairos, message);
    const late = await kairos.cli(['approve', code]);
    expect([state, workFile(kairos, 'opened.txt'), await codes()]).toEqual(['settled', 'x\n', []]);
    expect(late.stdout + late.stderr).toContain('mode bypassPermissions: it is allowed.');
  });

  it('is denied as soon as a rule denies it', async () => {
    const { message } = await waiting('closed', 'touch closed.txt');
    const added = await kairos.cli(['rules', 'add', 'deny', 'Bash(touch:*)', '--json']);
    const sent = await settled(kairos, message);
    expect([
      replyText(sent).includes('Bash(touch:*)'),
      workFile(kairos, 'closed.txt'),
      await codes(),
    ]).toEqual([true, null, []]);
    await kairos.json(['rules', 'revoke', (added.json as { id: string }).id]);
  });

  it('waits on under its code where it is still asked about', async () => {
    const { code, message } = await waiting('same', 'echo y > same.txt');
    const added = await kairos.cli(['rules', 'add', 'deny', 'Bash(rm:*)', '--json']);
    await kairos.json(['rules', 'revoke', (added.json as { id: string }).id]);
    expect(await codes()).toEqual([code]);
    await kairos.json(['approve', code]);
    const { state } = await settled(kairos, message);
    expect([state, workFile(kairos, 'same.txt')]).toEqual(['settled', 'y\n']);
  });

  it('goes by settings that changed, at the latest when a person decides', async () => {
    const { code, message } = await waiting('settings', 'echo z > settings.txt');
    const deny = JSON.stringify({ permissions: { deny: ['Bash(echo z *)'] } });
    writeFileSync(join(kairos.home, 'settings.json'), deny);
    const approved = await kairos.cli(['approve', code]);
    const sent: Sent = await settled(kairos, message);
    await waitFor(async () => (await codes()).length === 0, { what: 'nothing to be asked' });
    expect(approved.stdout).toContain(
      'It is not run all the same, denied by: rule (settings) Bash(echo z *)',
    );
    expect([sent.state, workFile(kairos, 'settings.txt')]).toEqual(['settled', null]);
  });
});
