import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigRig, ruleLines } from './support/config-rig.ts';

const settings = '.kairos/settings.json';
const local = '.kairos/settings.local.json';

/** A permissions section whose every list has one rule named after its source. */
function permissions(name: string) {
  const rule = (effect: string): string[] => [`Bash(${name} ${effect})`];
  return { permissions: { allow: rule('allow'), ask: rule('ask'), deny: rule('deny') } };
}

function lines(source: string, name: string, effects: readonly string[]): string[] {
  return effects.map((effect) => `${source} ${effect} Bash(${name} ${effect})`);
}

const all = ['deny', 'ask', 'allow'];

describe('rules of every source', () => {
  it('stand in their order; those of a trusted project hold, with the directory they are written for', async () => {
    const rig = new ConfigRig();
    rig.write(rig.managedFile, permissions('managed'));
    rig.write(rig.userFile, permissions('user'));
    rig.write(settings, permissions('project'));
    rig.write(local, permissions('local'));
    await rig.decide(rig.repo);
    const config = await rig.read({ rules: permissions('line').permissions });
    expect(ruleLines(config)).toEqual([
      ...lines('managed', 'managed', all),
      ...lines('command_line', 'line', all),
      ...lines('project_local', 'local', all),
      ...lines('project', 'project', all),
      ...lines('settings', 'user', all),
    ]);
    expect(config.rules.map(({ source, base }) => `${source} ${base ?? '-'}`).filter(unique)).toEqual([
      'managed -',
      `command_line ${rig.repo}`,
      `project_local ${rig.repo}`,
      `project ${rig.repo}`,
      'settings -',
    ]);
    expect(config.notices).toEqual([]);
  });

  it('of a directory that nobody trusts deny and ask, they do not allow, and hooks and variables do not hold', async () => {
    const rig = new ConfigRig();
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './check' }] }] };
    rig.write(settings, {
      ...permissions('project'),
      hooks,
      env: { set: { A: '1' }, pass: ['B_TOKEN'] },
      sandbox: { mode: 'on', network: { allow: ['x.org'], deny: ['y.org'] } },
    });
    const untrusted = await rig.read();
    await rig.decide(rig.repo);
    const trusted = await rig.read();
    const seen = ({ env, sandbox, ...config }: typeof trusted) => ({
      rules: ruleLines({ env, sandbox, ...config }),
      hooks: config.hooks,
      env,
      sandbox: [sandbox.mode, sandbox.allow, sandbox.deny],
      asks: config.untrusted.map(({ dir }) => dir),
    });
    expect([seen(untrusted), seen(trusted)]).toEqual([
      {
        rules: lines('project', 'project', ['deny', 'ask']),
        hooks: [],
        env: { pass: [], set: {} },
        sandbox: ['on', [], ['y.org']],
        asks: [rig.repo],
      },
      {
        rules: lines('project', 'project', all),
        hooks: [{ source: 'project', dir: rig.repo, hooks }],
        env: { pass: ['B_TOKEN'], set: { A: '1' } },
        sandbox: ['on', ['x.org'], ['y.org']],
        asks: [],
      },
    ]);
  });

  it('hold from the moment that a file changed, also when it appears and goes', async () => {
    const rig = new ConfigRig();
    const seen: string[][] = [];
    const look = async () => void seen.push(ruleLines(await rig.read()));
    await look();
    const path = rig.write(settings, { permissions: { deny: ['Bash(one)'] } });
    await look();
    rig.write(settings, { permissions: { deny: ['Bash(two)'] } });
    await look();
    rig.write(rig.userFile, { permissions: { ask: ['Read'] } });
    await look();
    rmSync(path);
    await look();
    expect(seen).toEqual([
      [],
      ['project deny Bash(one)'],
      ['project deny Bash(two)'],
      ['project deny Bash(two)', 'settings ask Read'],
      ['settings ask Read'],
    ]);
  });

  it('are those of the directory and of all above it up to the outermost repository; `git init` below sheds none', async () => {
    const rig = new ConfigRig();
    const below = join(rig.repo, 'packages', 'a');
    rig.write(join(rig.root, 'person', settings), { permissions: { deny: ['Bash(person)'] } });
    rig.write(settings, { permissions: { deny: ['Bash(root)'] } });
    rig.write(join(below, settings), { permissions: { deny: ['Bash(below)'] } });
    mkdirSync(join(below, '.git'));
    expect(ruleLines(await rig.read({ dir: below }))).toEqual([
      'project deny Bash(below)',
      'project deny Bash(root)',
      'settings deny Bash(person)',
    ]);
  });

  it('without a repository are those of the directory alone', async () => {
    const rig = new ConfigRig();
    const below = join(rig.root, 'person', 'loose', 'a');
    rig.write(join(rig.root, 'person', 'loose', settings), { permissions: { deny: ['Bash(above)'] } });
    rig.write(join(below, settings), { permissions: { deny: ['Bash(own)'] } });
    expect(ruleLines(await rig.read({ dir: below }))).toEqual(['project deny Bash(own)']);
  });

  it('a session in the home directory takes the person’s settings for no project', async () => {
    const rig = new ConfigRig();
    rig.write(rig.userFile, { permissions: { allow: ['Bash(ls)'] }, budgets: { dayUsd: 1 } });
    const config = await rig.read({ dir: join(rig.root, 'person') });
    expect([ruleLines(config), config.notices, config.untrusted]).toEqual([
      ['settings allow Bash(ls)'],
      [],
      [],
    ]);
  });
});

function unique(value: string, index: number, list: readonly string[]): boolean {
  return list.indexOf(value) === index;
}

describe('a settings file that cannot be known', () => {
  const asks = (source: string): string[] => [`${source} ask *`];
  const cases: readonly [string, (rig: ConfigRig, path: string) => void, string][] = [
    ['is no JSON', (rig, path) => void rig.write(path, '{ "permissions": '), 'is not valid JSON'],
    ['is a list', (rig, path) => void rig.write(path, '[]'), 'is not a JSON object'],
    [
      'has permissions of the wrong shape',
      (rig, path) => void rig.write(path, { permissions: { deny: 'Bash' } }),
      'has a broken section "permissions"',
    ],
    [
      'is a named pipe',
      (rig, path) => {
        rig.write(path, '');
        rmSync(path);
        execFileSync('mkfifo', [path]);
      },
      'is not a regular file',
    ],
    [
      'is a device',
      (rig, path) => {
        rig.write(path, '');
        rmSync(path);
        symlinkSync('/dev/zero', path);
      },
      'is ',
    ],
    [
      'is a folder',
      (rig, path) => {
        rig.write(path, '');
        rmSync(path);
        mkdirSync(path);
      },
      'is not a regular file',
    ],
    [
      'has 50 MB',
      (rig, path) => truncateSync(rig.write(path, '{}'), 50 * 1024 * 1024),
      'is larger than 1 MB',
    ],
    [
      'is a link that leads nowhere',
      (rig, path) => {
        rig.write(path, '');
        rmSync(path);
        symlinkSync('/nowhere/at/all', path);
      },
      'is a link that leads nowhere',
    ],
  ];

  it.each(cases)('and %s makes everything ask, whosever it is, and says so', async (_title, make, told) => {
    const rig = new ConfigRig();
    for (const [source, path] of [
      ['managed', rig.managedFile],
      ['project', join(rig.repo, settings)],
      ['settings', rig.userFile],
    ] as const) {
      rmSync(path, { force: true });
      make(rig, path);
      const config = await rig.read();
      expect([ruleLines(config), config.notices]).toEqual([
        asks(source),
        [{ path, notice: expect.stringContaining(told) }],
      ]);
      rmSync(path, { recursive: true });
    }
  });

  it('allows nothing of its own, also not what was trusted; mended, it holds again', async () => {
    const rig = new ConfigRig();
    rig.write(settings, permissions('project'));
    rig.write(local, { permissions: { allow: ['Bash(local)'] } });
    await rig.decide(rig.repo);
    rig.write(settings, '{');
    const broken = await rig.read();
    rig.write(settings, permissions('project'));
    const mended = await rig.read();
    expect([ruleLines(broken), broken.untrusted, ruleLines(mended)]).toEqual([
      ['project ask *'],
      [],
      ['project_local allow Bash(local)', ...lines('project', 'project', all)],
    ]);
  });

  it('of a project that is a link out of its tree is refused; a link inside of it is followed', async () => {
    const rig = new ConfigRig();
    const outside = rig.write(join(rig.root, 'elsewhere.json'), { permissions: { deny: ['Bash'] } });
    mkdirSync(join(rig.repo, '.kairos'));
    symlinkSync(outside, join(rig.repo, settings));
    const refused = await rig.read();
    rmSync(join(rig.repo, settings));
    symlinkSync(
      rig.write('shared/rules.json', { permissions: { deny: ['Bash'] } }),
      join(rig.repo, settings),
    );
    expect([ruleLines(refused), ruleLines(await rig.read())]).toEqual([
      ['project ask *'],
      ['project deny Bash'],
    ]);
  });

  it('in time makes everything ask, is not waited for again, and holds when it comes', async () => {
    const fired: (() => void)[] = [];
    const after = (_ms: number, fn: () => void) => {
      fired.push(fn);
      fn();
      return () => undefined;
    };
    const real = new ConfigRig().clock;
    const rig = new ConfigRig({ clock: { ...real, now: () => 0, monotonic: () => 0, after } });
    rig.write(settings, { permissions: { deny: ['Bash'] } });
    const late = await rig.read();
    const again = await rig.read();
    expect([ruleLines(late), ruleLines(again), fired.length]).toEqual([
      ['project ask *'],
      ['project ask *'],
      1,
    ]);
    expect(late.notices).toEqual([
      { path: join(rig.repo, settings), notice: expect.stringContaining('cannot be read in time') },
    ]);
  });
});

describe('what only some files may say', () => {
  it('a project may carry permissions, hooks, env and sandbox; the rest is ignored and named', async () => {
    const rig = new ConfigRig();
    const path = rig.write(settings, {
      budgets: { dayUsd: null },
      models: { providers: { x: { keyCommand: ['steal'] } } },
      permissions: { deny: ['Bash'], onlyManagedRules: true },
      hooks: { onlyManaged: true, projectAllow: true },
    });
    const config = await rig.read();
    expect([ruleLines(config), config.onlyManagedRules, config.projectHooksAllow]).toEqual([
      ['project deny Bash'],
      false,
      false,
    ]);
    expect(config.notices.map(({ notice }) => notice)).toEqual([
      `${path}: "budgets", "models" cannot be set by a project: ignored. It may hold permissions, hooks, env, sandbox.`,
      `${path}: "permissions.onlyManagedRules" counts in managed settings only: ignored.`,
      `${path}: "hooks.onlyManaged" counts in managed settings only: ignored.`,
      `${path}: hooks.projectAllow counts in your own settings only: ignored.`,
    ]);
  });

  it('managed settings keep allow rules and hooks of all others out, and forbid bypassPermissions', async () => {
    const rig = new ConfigRig();
    const hook = { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] };
    rig.write(rig.managedFile, {
      permissions: { allow: ['Read'], onlyManagedRules: true, disableBypassPermissions: true },
      hooks: { onlyManaged: true, ...hook },
    });
    rig.write(rig.userFile, { ...permissions('user'), hooks: hook });
    const config = await rig.read({ rules: permissions('line').permissions });
    expect([
      ruleLines(config),
      config.hooks.map(({ source }) => source),
      config.onlyManagedRules,
      config.bypassDisabled,
    ]).toEqual([
      [
        'managed allow Read',
        ...lines('command_line', 'line', ['deny', 'ask']),
        ...lines('settings', 'user', ['deny', 'ask']),
      ],
      ['managed'],
      true,
      true,
    ]);
  });

  it('variables: the administrator before the project before the person; none of ours', async () => {
    const rig = new ConfigRig();
    rig.write(rig.managedFile, { env: { set: { A: 'managed' } } });
    rig.write(settings, { env: { set: { A: 'project', B: 'project' } } });
    rig.write(rig.userFile, { env: { set: { A: 'u', B: 'u', C: 'u', KAIROS_HOME: '/x', 'BAD NAME': '' } } });
    await rig.decide(rig.repo);
    const { env, notices } = await rig.read();
    expect([env.set, notices.map(({ notice }) => notice)]).toEqual([
      { A: 'managed', B: 'project', C: 'u' },
      [
        'settings.json: env.set cannot set "KAIROS_HOME": ignored.',
        'settings.json: env.set cannot set "BAD NAME": ignored.',
      ],
    ]);
  });
});
