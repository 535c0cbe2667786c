import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { withKairos } from '../support/real/kairos.ts';
import { settle } from './support/conversation.ts';

/** A disk of 100 KB, smaller than any store; null where none can be mounted. */
function mount(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'kb-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=100k,mode=0700', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
}

const disk = mount();
if (disk === null) process.stdout.write('skipped: full disk of a backup (a tmpfs cannot be mounted here)\n');

afterAll(() => {
  if (disk === null) return;
  execFileSync('umount', [disk], { stdio: 'ignore' });
  rmSync(disk, { recursive: true });
});

it.skipIf(disk === null)('A full disk is named by its side: that of the backup, or that of the home', () =>
  withKairos({}, async (kairos) => {
    const small = disk ?? '';
    await settle(kairos, 'run echo one', '--session', 'shop');
    const [target, sound] = [join(small, 'backup'), join(kairos.base, 'backup')];
    const full = await kairos.cli(['backup', target]);
    const left = readdirSync(small);
    await kairos.json(['backup', sound]);
    const goesOn = await settle(kairos, 'run echo two', '--session', 'shop');
    await kairos.stopDaemon();
    const home = join(small, 'home');
    const restored = await kairos.cli(['restore', sound], { env: { KAIROS_HOME: home } });
    expect({
      full: [full.code, full.stderr.trim()],
      left,
      goesOn: goesOn.state,
      restored: [restored.code, restored.stderr.trim()],
      kept: readdirSync(home).filter((name) => /store|restore/.test(name)),
    }).toEqual({
      full: [
        1,
        `The disk of "${target}" is full or cannot be written; no backup was made. Free some space there, or name another place.`,
      ],
      left: [],
      goesOn: 'settled',
      restored: [
        1,
        `The disk of "${home}" has no room for the backup. Free some space; nothing was changed.`,
      ],
      kept: [],
    });
  }),
);

it('A question takes no letter that it does not offer, and stays open', () =>
  withKairos({}, async (kairos) => {
    await kairos.json(['send', 'ask me Which one? [Red | Blue]', '--session', 'q']);
    const open = () => kairos.json<{ code: string }[]>(['approvals']);
    await expect.poll(async () => (await open()).length, { timeout: 20_000 }).toBe(1);
    const [{ code } = { code: '' }] = await open();
    const wrong = await kairos.cli(['answer', code, 'C', '--json']);
    const still = (await open()).map((prompt) => prompt.code);
    const own = await kairos.cli(['answer', code, 'neither, take green', '--json']);
    expect([wrong.code, wrong.json, still, own.code, own.json]).toEqual([
      5,
      {
        outcome: 'not_allowed',
        by: null,
        message: '"C" is none of the options: A) Red, B) Blue. Name one, or answer in more words.',
      },
      [code],
      0,
      { outcome: 'accepted', by: 'owner', message: 'Answered: neither, take green' },
    ]);
  }));
