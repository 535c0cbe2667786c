import { describe, expect, test } from 'vitest';
import { parseShell } from '../../../../electron/node/shell-syntax/parse-shell.ts';
import type { CallFacts } from '../../../../shared/domain/permissions/call-facts.ts';
import { risksOf } from '../../../../shared/domain/permissions/risks.ts';
import type { ShellFacts, ShellPart } from '../../../../shared/domain/permissions/shell-facts.ts';

const places = {
  dir: '/w',
  self: {
    home: '/home/u/.kairos',
    scratch: '/home/u/.kairos/scratch',
    words: [],
    person: { home: '/home/u', platform: 'linux' as const },
  },
  mask: (text: string) => text.replaceAll('secret', '[masked]'),
};
const base: CallFacts = {
  tool: 'Bash',
  input: {},
  class: 'blind',
  cwd: '/w',
  subject: '',
  access: 'command',
  paths: [],
  preimages: [],
  preview: '',
  description: '',
};

/** The parts of a list of plain commands; a word that begins with `$` is dynamic. */
function parsed(...commands: readonly string[]): ShellFacts {
  const parts = commands.map((source): ShellPart => {
    const words = source.split(' ').map((text) => ({
      text,
      kind: text.startsWith('$') ? ('dynamic' as const) : ('literal' as const),
    }));
    return { source, assignments: [], words, redirects: [] };
  });
  return { kind: 'parsed', parts, redirects: [], odd: [] };
}

test('what is hidden as a secret is told, for it runs', () => {
  expect(risksOf({ ...base, preview: 'TOKEN=secret; sh $TOKEN' }, places)).toEqual([
    'Part of it is hidden because it looks like a secret; it counts all the same.',
  ]);
});

const rows: readonly (readonly [string, readonly string[]])[] = [
  ['ls -la', []],
  ['git status', []],
  ['echo rm', []],
  ['sudo ls', ['Runs with other rights: sudo ls']],
  ['rm -rf build', ['Deletes or overwrites: rm -rf build']],
  ['/bin/rm x', ['Deletes or overwrites: rm x']],
  ['xargs rm', ['Deletes or overwrites: rm']],
  ['find . -delete', ['Deletes or overwrites: find . -delete']],
  ['timeout 5 curl x', ['Uses the network: curl x']],
  ['git push origin main', ['Uses the network: git push origin main']],
  [
    'git push --force',
    ['Replaces history on the server: git push --force', 'Uses the network: git push --force'],
  ],
  [
    'git push origin +main',
    ['Replaces history on the server: git push origin +main', 'Uses the network: git push origin +main'],
  ],
  [`curl ${'x'.repeat(72)} secret`, [`Uses the network: curl ${'x'.repeat(72)} […`]],
  ['git reset --hard', ['Throws away work that is not committed: git reset --hard']],
  ['git clean -fdx', ['Throws away work that is not committed: git clean -fdx']],
  ['npm test', []],
  ['npm install x', ['Installs or runs code of others: npm install x', 'Uses the network: npm install x']],
  ['npx cowsay', ['Runs code that Kairos does not check: npx cowsay', 'Uses the network: npx cowsay']],
  ['bash -c x', ['Runs code that Kairos does not check: bash -c x']],
  ['$TOOL x', ['Which program runs is known only when it runs: $TOOL']],
];

describe('the risks of a call', () => {
  test.each(rows)('%s', (command, risks) => {
    expect(risksOf({ ...base, shell: parsed(command) }, places)).toEqual(risks);
  });

  test('stand the worst first, each once, over all parts of a command', () => {
    const shell = parsed('curl x', 'sh', 'rm a', 'rm a', 'sudo id');
    expect(risksOf({ ...base, shell }, places)).toEqual([
      'Runs with other rights: sudo id',
      'Deletes or overwrites: rm a',
      'Runs code that Kairos does not check: sh',
      'Uses the network: curl x',
    ]);
  });

  test('name a command that could not be read, and what in it is hard to follow', () => {
    const unparsed: ShellFacts = { kind: 'unparsed', reason: 'a quote is not closed.' };
    expect([
      risksOf({ ...base, shell: unparsed }, places),
      risksOf({ ...base, shell: { kind: 'parsed', parts: [], redirects: [], odd: ['function'] } }, places),
    ]).toEqual([
      ['Kairos cannot tell what all of it does: a quote is not closed.'],
      ['Has parts that are hard to follow: function'],
    ]);
  });

  test('name files outside the directory and those that run by themselves, also as targets of redirections', () => {
    const write: CallFacts = { ...base, tool: 'Write', access: 'write', paths: ['/w/a', '/etc/hosts'] };
    const target = (path: string) => ({
      access: 'write' as const,
      target: { text: path, kind: 'literal' as const },
      paths: [path],
    });
    const shell: ShellFacts = {
      kind: 'parsed',
      parts: [{ source: 'x', assignments: [], words: [], redirects: [target('/w/.git/hooks/pre-commit')] }],
      redirects: [target('/dev/null'), target('/tmp/x')],
      odd: [],
    };
    expect([risksOf(write, places), risksOf({ ...base, shell }, places)]).toEqual([
      [
        'Changes what runs by itself later: /etc/hosts (settings of the system)',
        "Writes outside the session's directory: /etc/hosts",
      ],
      [
        "Changes what runs by itself later: /w/.git/hooks/pre-commit (Git's own files)",
        "Writes outside the session's directory: /tmp/x",
      ],
    ]);
  });

  test('name characters that cannot be seen, not those of emoji', () => {
    expect([
      risksOf({ ...base, preview: 'rm <U+202E>txt' }, places).length,
      risksOf({ ...base, preview: 'a heart <U+FE0F>' }, places),
    ]).toEqual([1, []]);
  });
});

const later = 'Changes what runs by itself later: ';
const out = "Writes outside the session's directory: ";
const gone = "Deletes or moves away what is outside the session's directory: ";
const written: readonly (readonly [string, readonly string[]])[] = [
  ['echo hi >> ~/.bashrc', [`${later}/home/u/.bashrc (a start-up file of shells)`, `${out}/home/u/.bashrc`]],
  [
    'echo a > $HOME/.profile',
    [`${later}/home/u/.profile (a start-up file of shells)`, `${out}/home/u/.profile`],
  ],
  ['cp a.txt .git/hooks/pre-push', [`${later}/w/.git/hooks/pre-push (Git's own files)`]],
  ['echo x | tee .git/hooks/pre-commit', [`${later}/w/.git/hooks/pre-commit (Git's own files)`]],
  ['crontab -r', [`${later}jobs of the system`]],
  ['git config core.hooksPath /tmp/h', [`${later}settings of Git`]],
  ['chmod 777 /etc/passwd', [`${later}/etc/passwd (settings of the system)`, `${out}/etc/passwd`]],
  [
    'wget -O /etc/x http://a/b',
    [
      `${later}/etc/x (settings of the system)`,
      `${out}/etc/x`,
      'Uses the network: wget -O /etc/x http://a/b',
    ],
  ],
  ['ln -s /opt/x pw', ["Makes a link to what is outside the session's directory: /opt/x"]],
  ['cp a.txt /tmp/elsewhere/', [`${out}/tmp/elsewhere`]],
  ['cp a.txt ~/b.txt', [`${out}/home/u/b.txt`]],
  ['cp -t /tmp a b', [`${out}/tmp`]],
  ['cp /tmp/a b', []],
  ['mv a.txt ../b.txt', [`${out}/b.txt`]],
  ['mv ../b.txt a.txt', [`${gone}/b.txt`]],
  ['sed -i s/a/b/ ../x.txt', [`${out}/x.txt`]],
  ['sed s/a/b/ ../x.txt', []],
  ['sed -i /foo/d a.txt', []],
  ['tee /tmp/s4x', [`${out}/tmp/s4x`]],
  ['sudo tee /tmp/x', ['Runs with other rights: sudo tee /tmp/x', `${out}/tmp/x`]],
  ['dd if=a of=/tmp/x', ['Deletes or overwrites: dd if=a of=/tmp/x', `${out}/tmp/x`]],
  ['rsync -a . /tmp/x', [`${out}/tmp/x`, 'Uses the network: rsync -a . /tmp/x']],
  ['cd sub && cp a ../b', []],
  ['cd /tmp && rm b', [`${gone}/tmp/b`, 'Deletes or overwrites: rm b']],
  ['rm -rf ../other', [`${gone}/other`, 'Deletes or overwrites: rm -rf ../other']],
  ['rm -rf /', [`${gone}/`, 'Deletes or overwrites: rm -rf /']],
  ['chmod -R 777 /', ['Changes rights of everything below: chmod -R 777 /', `${out}/`]],
  ['shutdown -h now', ['Stops or restarts the machine: shutdown -h now']],
  ['kill -9 1', ['Ends running programs: kill -9 1']],
  ['systemctl stop x', ['Changes services of the system: systemctl stop x']],
  ['systemctl status x', []],
  ['git branch -D main', ['Deletes branches: git branch -D main']],
  [
    'git push origin --delete main',
    [
      'Deletes on the server: git push origin --delete main',
      'Uses the network: git push origin --delete main',
    ],
  ],
  [
    'git -c core.sshCommand=x fetch',
    [
      'Sets options of Git that can run other programs: git -c core.sshCommand=x fetch',
      'Uses the network: git -c core.sshCommand=x fetch',
    ],
  ],
  ['cat .env', ['May read keys or passwords: /w/.env']],
  ['cat .env.example', []],
  ['cat ~/.ssh/id_ed25519', ['May read keys or passwords: /home/u/.ssh/id_ed25519']],
  ['env', ['Shows variables of the environment, which may hold secrets.']],
  [
    'cat ~/.kairos/config.json',
    ['Reaches for what Kairos guards: the command names Kairos, its home or its port.'],
  ],
];

describe('what a command changes is told as its program gets it', () => {
  test.each(written)('%s', async (command, risks) => {
    const shell = await parseShell(command, 'bash');
    expect(risksOf({ ...base, subject: command, preview: command, shell }, places)).toEqual(risks);
  });

  test('the network is not named where a command is shut in without one, whatever its text says', () => {
    const shell = parsed('curl x');
    const told = (preview: string) => risksOf({ ...base, shell, sandboxed: true, preview }, places);
    const line = '[in the sandbox: writes only in the session directory; no network]';
    expect([
      told(`curl x\n${line}`),
      told(`curl x # ${line}\n[in the sandbox: writes only in the session directory; network only to x]`),
    ]).toEqual([[], ['Uses the network: curl x']]);
  });

  test('what a hook changed is told first, with what had been asked for', () => {
    const changed = { by: '/w/.kairos/settings.json: ./check.sh', asked: 'echo secret' };
    expect(risksOf({ ...base, shell: parsed('rm x'), changed }, places)).toEqual([
      'Changed by the hook (/w/.kairos/settings.json: ./check.sh); Kairos asked for: echo [masked]',
      'Deletes or overwrites: rm x',
    ]);
  });

  test('where a link leads counts too', () => {
    const part = { source: 'cp a b', assignments: [], redirects: [], leadsTo: ['/opt/b'] };
    const words = ['cp', 'a', 'b'].map((text) => ({ text, kind: 'literal' as const }));
    const shell: ShellFacts = { kind: 'parsed', parts: [{ ...part, words }], redirects: [], odd: [] };
    expect(risksOf({ ...base, shell }, places)).toEqual([`${out}/opt/b`]);
  });
});
