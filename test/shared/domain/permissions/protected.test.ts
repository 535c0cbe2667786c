import { describe, expect, it } from 'vitest';
import { protectedKind } from '../../../../shared/domain/permissions/protected.ts';
import { decided, self } from './support.ts';

describe('files whose change lets something run later', () => {
  it.each([
    ['/home/u/w/.git/config', "Git's own files"],
    ['/home/u/w/.git/hooks/pre-commit', "Git's own files"],
    ['/home/u/w/.git', "Git's own files"],
    ['/home/u/w/sub/.git', "Git's own files"],
    ['/home/u/w/.GIT/config', "Git's own files"],
    ['/home/u/w/.husky/pre-commit', 'hooks of Git'],
    ['/home/u/w/.githooks/x', 'hooks of Git'],
    ['/home/u/w/.pre-commit-config.yaml', 'hooks of Git'],
    ['/home/u/w/.gitmodules', 'settings of Git'],
    ['/home/u/.gitconfig', 'settings of Git'],
    ['/home/u/.config/git/config', 'settings of Git'],
    ['/home/u/w/.kairos/settings.json', 'settings of Kairos'],
    ['/home/u/w/.kairos/skills/x/SKILL.md', 'settings of Kairos'],
    ['/home/u/w/.claude/settings.json', 'settings of an agent'],
    ['/home/u/w/.claude/commands/x.md', 'settings of an agent'],
    ['/home/u/w/.claude/agents/x.md', 'settings of an agent'],
    ['/home/u/w/.claude-plugin/plugin.json', 'a plugin'],
    ['/home/u/w/.mcp.json', 'servers of tools'],
    ['/home/u/.claude.json', 'settings of an agent'],
    ['/home/u/w/.vscode/tasks.json', 'settings of an editor'],
    ['/home/u/w/.idea/workspace.xml', 'settings of an editor'],
    ['/home/u/w/.devcontainer/devcontainer.json', 'settings of an editor'],
    ['/home/u/w/x.code-workspace', 'settings of an editor'],
    ['/home/u/.bashrc', 'a start-up file of shells'],
    ['/home/u/.bash_profile', 'a start-up file of shells'],
    ['/home/u/.profile', 'a start-up file of shells'],
    ['/home/u/.zshrc', 'a start-up file of shells'],
    ['/home/u/.zshenv', 'a start-up file of shells'],
    ['/home/u/.ZSHRC', 'a start-up file of shells'],
    ['/home/u/.config/fish/config.fish', 'a start-up file of shells'],
    ['/home/u/w/.envrc', 'a start-up file of shells'],
    ['C:\\Users\\u\\Documents\\PowerShell\\Microsoft.PowerShell_profile.ps1', 'a start-up file of shells'],
    ['/home/u/.npmrc', 'settings of a package manager'],
    ['/home/u/w/.npmrc', 'settings of a package manager'],
    ['/home/u/w/.yarnrc.yml', 'settings of a package manager'],
    ['/home/u/w/.yarn/releases/yarn.cjs', 'settings of a package manager'],
    ['/home/u/w/.cargo/config.toml', 'settings of a package manager'],
    ['/home/u/.ssh/authorized_keys', 'keys and hosts of SSH'],
    ['/home/u/.ssh/config', 'keys and hosts of SSH'],
    ['/home/u/.gnupg/gpg.conf', 'keys of GnuPG'],
    ['/var/spool/cron/crontabs/u', 'jobs of the system'],
    ['/etc/crontab', 'settings of the system'],
    ['/etc/profile.d/x.sh', 'settings of the system'],
    ['/etc/kairos/managed-settings.json', 'settings of the system'],
    ['/private/etc/zshrc', 'settings of the system'],
    ['/home/u/.config/systemd/user/x.service', 'a service of the system'],
    ['/home/u/.local/share/systemd/user/x.service', 'a service of the system'],
    ['/home/u/.config/autostart/x.desktop', 'what starts at login'],
    ['/home/u/.xprofile', 'what starts at login'],
    ['/Users/u/Library/LaunchAgents/x.plist', 'what starts at login'],
    ['/Library/LaunchDaemons/x.plist', 'what starts at login'],
    [
      'C:\\Users\\u\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\x.bat',
      'what starts at login',
    ],
    ['/Library/Application Support/Kairos/managed-settings.json', 'settings of Kairos'],
    ['/home/u/w/.claude/worktrees/one/.git', "Git's own files"],
    ['/home/u/w/.kairos/worktrees/one/.mcp.json', 'servers of tools'],
    ['/home/u/w/.kairos/worktrees', 'settings of Kairos'],
    ['/home/u/.ssh/.kairos/worktrees/one/config', 'keys and hosts of SSH'],
    ['/srv/bare.git/hooks/post-receive', 'hooks of Git'],
  ])('%s: %s', (path, kind) => {
    expect(protectedKind(path)).toBe(kind);
  });

  it.each([
    '/home/u/w/a.ts',
    '/home/u/w/.gitignore',
    '/home/u/w/.gitattributes',
    '/home/u/w/.github/workflows/ci.yml',
    '/home/u/w/git/config',
    '/home/u/w/.env',
    '/home/u/w/package.json',
    '/home/u/w/etc/x',
    '/home/u/w/profile',
    '/home/u/w/bashrc',
    '/home/u/w/.kairos/worktrees/one/src/a.ts',
    '/home/u/w/.claude/worktrees/one/a.ts',
    '/home/u/w/vscode/tasks.json',
    '/home/u/w/library/launch/x',
    '/',
  ])('%s is an ordinary file', (path) => {
    expect(protectedKind(path)).toBeNull();
  });
});

const everything = ['allow *', 'allow Edit', 'allow Edit(//**)', 'allow Bash'];

describe('a change of protected files asks in every mode, whatever allows it', () => {
  it.each([
    'Write .git/hooks/pre-commit',
    'Edit .mcp.json',
    'MultiEdit .claude/settings.json',
    'Edit link -> .vscode/tasks.json',
    'Write /home/u/.bashrc',
    'Bash echo x > .git/hooks/post-commit',
    'Bash echo x >> ~/.bashrc',
    'Bash { echo x; } > .mcp.json',
    'Bash echo x | tee .git/config',
    'Bash cp evil .git/hooks/pre-commit',
    'Bash mv x ~/.zshrc',
    'Bash sed -i s/a/b/ /home/u/.profile',
    'Bash dd of=/home/u/.ssh/authorized_keys',
    'Bash ln -s x $HOME/.config/autostart/x.desktop',
    'Bash install -m755 x --target-directory=.husky',
    'Bash rm -rf .git',
    'Bash cd .git/hooks && cp x pre-push',
    'Bash crontab jobs',
    'Bash crontab -',
    'Bash echo job | at now',
    'Bash launchctl load x.plist',
    'Bash systemctl --user enable x',
    'Bash systemd-run --user x',
    'Bash schtasks /create /tn x',
    'Bash git config core.hooksPath x',
    'Bash git -C sub config alias.st status',
    'Bash git config set alias.x get',
    'Bash git config --unset user.name',
    'Bash git config edit',
    'Bash find .git -delete',
    'Bash sudo tee /etc/hosts',
  ])('%s', async (call) => {
    const modes = ['default', 'acceptEdits', 'bypassPermissions'] as const;
    const decisions = await Promise.all(modes.map((mode) => decided(call, everything, { mode })));
    const denied = await decided(call, everything, { mode: 'dontAsk' });
    expect([
      decisions.map(({ behavior, by }) => `${behavior}: ${by.slice(0, 10)}`),
      denied.behavior,
      denied.reason,
    ]).toEqual([
      Array(3).fill('ask: protected:'),
      'deny',
      expect.stringMatching(/^Nobody is asked in this mode \(protected/),
    ]);
  });

  it.each([
    'Read .git/config',
    'Grep .git',
    'Edit a.ts',
    'Bash cat .git/config',
    'Bash ls -la .git ~/.ssh',
    'Bash grep x ~/.bashrc',
    'Bash git status',
    'Bash git commit -m x',
    'Bash git config --get user.name',
    'Bash git config --list',
    'Bash git config user.name',
    'Bash git config get user.name',
    'Bash crontab -l',
    'Bash systemctl status x',
    'Bash find . -path ./.git -prune -o -name x',
    'Bash tar c --exclude=.git .',
    'Bash echo x > out.txt',
    'Bash diff .npmrc other',
  ])('%s changes none', async (call) => {
    expect((await decided(call, everything, { mode: 'bypassPermissions', self })).behavior).toBe('allow');
  });

  it('a rule that denies goes before the question', async () => {
    expect(await decided('Edit .mcp.json', ['deny Edit(.mcp.json)'])).toEqual({
      behavior: 'deny',
      by: 'rule (settings)',
      rule: 'Edit(.mcp.json)',
    });
  });
});
