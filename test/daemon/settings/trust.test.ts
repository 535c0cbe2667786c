import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigRig, ruleLines } from './support/config-rig.ts';

const settings = '.kairos/settings.json';
const local = '.kairos/settings.local.json';

function permissions(name: string) {
  const rule = (effect: string): string[] => [`Bash(${name} ${effect})`];
  return { permissions: { allow: rule('allow'), ask: rule('ask'), deny: rule('deny') } };
}

describe('trust in a directory', () => {
  it('is in exactly what was there: every executable part asks anew when it changes, and nothing else does', async () => {
    const rig = new ConfigRig();
    rig.write(settings, permissions('project'));
    const asksAfter = async (change: () => unknown): Promise<boolean> => {
      await rig.decide(rig.repo);
      change();
      return (await rig.read()).untrusted.length > 0;
    };
    const base = permissions('project');
    expect({
      touched: await asksAfter(() => utimesSync(join(rig.repo, settings), 1, 1)),
      reordered: await asksAfter(() => rig.write(settings, `${JSON.stringify(base, null, 4)}\n`)),
      deny: await asksAfter(() =>
        rig.write(settings, { permissions: { ...base.permissions, deny: ['Read'] } }),
      ),
      allow: await asksAfter(() =>
        rig.write(settings, { permissions: { ...base.permissions, allow: ['Bash'] } }),
      ),
      hook: await asksAfter(() =>
        rig.write(settings, { ...base, hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] } }),
      ),
      env: await asksAfter(() => rig.write(settings, { ...base, env: { set: { LD_PRELOAD: './x.so' } } })),
      sandbox: await asksAfter(() =>
        rig.write(settings, { ...base, sandbox: { filesystem: { write: ['/'] } } }),
      ),
      local: await asksAfter(() => rig.write(local, { permissions: { allow: ['Read'] } })),
      mcp: await asksAfter(() => rig.write('.mcp.json', { mcpServers: { a: { command: 'x' } } })),
      noServers: await asksAfter(() => rmSync(join(rig.repo, '.mcp.json'))),
    }).toEqual({
      touched: false,
      reordered: false,
      deny: false,
      allow: true,
      hook: true,
      env: true,
      sandbox: true,
      local: true,
      mcp: true,
      noServers: true,
    });
  });

  it('that was refused is remembered for that digest: nothing of it holds and nobody is asked', async () => {
    const rig = new ConfigRig();
    rig.write(settings, permissions('project'));
    await rig.decide(rig.repo, false);
    const config = await rig.read();
    expect([ruleLines(config), config.untrusted]).toEqual([
      ['project deny Bash(project deny)', 'project ask Bash(project ask)'],
      [],
    ]);
  });

  it('is per directory: the root of a repository and what lies below are asked about by themselves', async () => {
    const rig = new ConfigRig();
    const below = join(rig.repo, 'a');
    rig.write(settings, { permissions: { allow: ['Bash(root)'] } });
    rig.write(join(below, settings), { permissions: { allow: ['Bash(below)'] } });
    await rig.decide(rig.repo);
    const config = await rig.read({ dir: below });
    expect([ruleLines(config), config.untrusted.map(({ dir }) => dir)]).toEqual([
      ['project allow Bash(root)'],
      [below],
    ]);
  });
});
