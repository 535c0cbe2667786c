import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SandboxBench, sandboxBench, skipReason } from './support.ts';

let bench: SandboxBench;
beforeEach(() => {
  bench = sandboxBench();
});
afterEach(() => bench.remove());

const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');
const write = (path: string, text = 'as it was'): void => {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
};

describe.skipIf(skipReason !== null)('where a shut-in command writes', () => {
  test('the session directory, its scratch folder and /tmp, which is kept from command to command', async () => {
    const { output } = await bench.run(
      `echo a > in.txt; echo b > ${bench.scratch}/s.txt; echo c > /tmp/t.txt; echo d > /var/tmp/v.txt; echo $TMPDIR`,
    );
    expect([output, read(bench.dir, 'in.txt'), read(bench.scratch, 's.txt')]).toEqual([
      '/tmp\n',
      'a\n',
      'b\n',
    ]);
    expect(await bench.out('cat /tmp/t.txt /tmp/v.txt')).toBe('c\nd');
    expect(existsSync('/tmp/t.txt')).toBe(false);
  });

  test.each([
    ['the person’s home', () => `echo x > ${bench.person}/made`],
    ['the folder above by way of ..', () => 'echo x > ../made'],
    ['a system folder', () => 'echo x > /etc/kairos-made'],
    ['/usr/local', () => 'mkdir /usr/local/kairos-made'],
    ['a link that leads out', () => `ln -s ${bench.person} out && echo x > out/made`],
    ['/proc of the kernel', () => 'cat /proc/sys/kernel/hostname > /proc/sys/kernel/hostname'],
    ['/sys', () => 'mkdir /sys/fs/cgroup/kairos-made'],
    ['a remount', () => 'mount -o remount,rw / 2>&1'],
    ['an unmount of what hides', () => `umount ${bench.home} 2>&1`],
    ['a namespace of its own', () => `unshare -Urm sh -c 'umount ${bench.home} && echo got in'`],
    ['a device', () => 'mknod x b 8 0'],
    ['what a process before left open', () => 'echo x > /proc/1/root/etc/kairos-made'],
  ])('not %s', async (_what, command) => {
    const { end } = await bench.run(command());
    expect([end.exit.code === 0, readdirSync(bench.person).toSorted()]).toEqual([false, ['.kairos', 'work']]);
  });
});

describe.skipIf(skipReason !== null)('a shut-in command does not write', () => {
  test('a hard link to a file outside cannot be made', async () => {
    write(join(bench.person, 'precious'));
    const { end } = await bench.run('ln ../precious mine && echo changed > mine');
    expect([end.exit.code === 0, read(bench.person, 'precious')]).toEqual([false, 'as it was']);
  });

  test('more folders when settings name them, but never the home of Kairos', async () => {
    const more = join(bench.person, 'more');
    mkdirSync(more);
    write(join(bench.home, 'settings.json'));
    const config = { write: ['~/more', '~/.kairos', join(bench.home, 'settings.json'), '/'] };
    await bench.run(`echo x > ~/more/a; echo y > ~/.kairos/settings.json; echo z > ~/made`, { config });
    expect([
      read(more, 'a'),
      read(bench.home, 'settings.json'),
      existsSync(join(bench.person, 'made')),
    ]).toEqual(['x\n', 'as it was', false]);
  });
});

describe.skipIf(skipReason !== null)('where a shut-in command does not write', () => {
  test('not files that hooks run: neither what is there, nor by moving their folder, nor one that is missing', async () => {
    write(join(bench.dir, 'tools', 'check.sh'));
    const readOnly = ['tools/check.sh', 'later.sh'].map((name) => join(bench.dir, name));
    const { output } = await bench.run(
      'echo x > tools/check.sh; rm -f tools/check.sh; mv tools old; echo x > later.sh; sh tools/check.sh; echo ran',
      { config: { readOnly: [...readOnly, join(bench.person, 'elsewhere')] } },
    );
    expect([
      read(bench.dir, 'tools', 'check.sh'),
      existsSync(join(bench.dir, 'later.sh')),
      /ran$/m.test(output),
    ]).toEqual(['as it was', false, true]);
  });
});

describe.skipIf(skipReason !== null)('what a shut-in command does not see', () => {
  test('the home of Kairos: not its lock, not its port, not the scratch folders of others, by no name', async () => {
    for (const name of ['daemon.json', 'lock.db', 'scratch/s2/out.txt'])
      write(join(bench.home, name), 'secret');
    symlinkSync(bench.home, join(bench.dir, 'link'));
    const found = await bench.out(
      'find ~/.kairos link/ -type f; cat ~/.kairos/daemon.json link/daemon.json /proc/1/root/$HOME/.kairos/daemon.json; grep -rl secret ~ 2>/dev/null',
    );
    expect(found.split('\n').filter((line) => !/No such file|Permission denied/.test(line))).toEqual([]);
  });

  test('keys and passwords of the person, and what settings hide', async () => {
    for (const name of ['.ssh/id', '.aws/credentials', '.netrc', 'private/a'])
      write(join(bench.person, name), 'secret');
    const hidden = await bench.out('cat ~/.ssh/id ~/.aws/credentials ~/.netrc; cat ~/private/a');
    const config = { denyRead: ['~/private'] };
    const own = await bench.out('cat ~/private/a; cat ~/.ssh/id', { config });
    const secrets = (text: string): number => text.split('secret').length - 1;
    expect([secrets(hidden), secrets(own)]).toEqual([1, 1]);
  });

  test('processes of the machine and their environments', async () => {
    const seen = await bench.out(
      'ls /proc | grep -E "^[0-9]+$" | wc -l; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n" | grep -c ^VITEST',
      {
        environment: { MARK: '1' },
      },
    );
    const [processes, ofTests] = seen.split('\n').map(Number);
    expect([processes !== undefined && processes < 10, ofTests]).toEqual([true, 0]);
  });

  test('agents, buses, displays and containers: no Unix socket can be connected to', async () => {
    const environment = {
      SSH_AUTH_SOCK: '/x',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x',
      DISPLAY: ':0',
      DOCKER_HOST: 'unix:///x',
    };
    const code = [
      'import socket, os',
      'for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):',
      '  for make in (lambda: socket.socket(socket.AF_UNIX, kind), lambda: socket.socketpair(socket.AF_UNIX, kind)):',
      '    try: make(); print("made", int(kind))',
      '    except OSError as e: print(e.strerror)',
      'print(sorted(n for n in os.environ if n in ("SSH_AUTH_SOCK","DBUS_SESSION_BUS_ADDRESS","DISPLAY","DOCKER_HOST")), os.listdir("/run"))',
    ].join('\n');
    write(join(bench.dir, 'try.py'), code);
    expect(await bench.out('python3 try.py', { environment })).toBe(
      [
        'Operation not permitted',
        'made 1',
        'Operation not permitted',
        'Operation not permitted',
        '[] []',
      ].join('\n'),
    );
  });
});

describe.skipIf(skipReason !== null)('protected places in the session directory', () => {
  const protectedFiles = [
    '.git/hooks/pre-commit',
    '.git/config',
    '.mcp.json',
    '.kairos/settings.json',
    '.bashrc',
    'sub/.git/hooks/x',
  ];

  test('what is there can only be read, by no detour', async () => {
    for (const name of protectedFiles) write(join(bench.dir, name));
    const change = (name: string): string =>
      `echo x >> ${name}; rm -rf ${name}; mv ${name} y; ln -f ${name} z && echo x >> z; (cd ${name}/.. && rm -rf * );`;
    await bench.run(
      `${protectedFiles.map(change).join('\n')}\nmv .git away; mv sub/.git away; mv .kairos k; rm -rf .git .kairos`,
    );
    expect(
      protectedFiles.map((name) => (existsSync(join(bench.dir, name)) ? read(bench.dir, name) : 'gone')),
    ).toEqual(protectedFiles.map(() => 'as it was'));
  });

  test('what is made there gets another name when the command has ended, and the model is told', async () => {
    write(join(bench.dir, '.git/config'));
    symlinkSync('elsewhere', join(bench.dir, '.envrc'));
    const { end } = await bench.run(
      'echo {} > .mcp.json; mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit; rm .envrc; echo evil > .envrc; echo /x > .git/commondir',
    );
    const names = (folder: string) =>
      readdirSync(join(bench.dir, folder))
        .map((name) => name.replace(/-[0-9a-f]+$/, '-*'))
        .toSorted();
    expect([names('.'), names('.git'), end.notes.length]).toEqual([
      ['.envrc', '.envrc.inactive-*', '.git', '.mcp.json.inactive-*'],
      ['commondir.inactive-*', 'config', 'hooks.inactive-*'],
      4,
    ]);
    expect(end.notes.join()).toContain('.mcp.json cannot be made in the sandbox, it is now');
  });

  test('Git works: commits, branches and stashes, only its configuration is closed', async () => {
    await bench.run('git init -q -b main && git config user.email a@b && git config user.name a', {
      outside: true,
    });
    const { output, end } = await bench.run(
      'echo a > f && git add f && git commit -qm one && git checkout -qb two && echo b > f && git stash -q && git log --oneline | wc -l; git config user.name b',
    );
    expect([output.split('\n')[0], end.exit.code === 0, end.notes]).toEqual(['1', false, []]);
  });
});

test.skipIf(skipReason !== null)('a session directory that became a link leads nowhere else', async () => {
  write(join(bench.person, 'other/file'));
  renameSync(bench.dir, `${bench.dir}-away`);
  symlinkSync(join(bench.person, 'other'), bench.dir);
  const { end } = await bench
    .run('echo changed > file')
    .catch((error: unknown) => ({ end: error as { exit: { code: number } } }));
  expect([end.exit?.code === 0, read(bench.person, 'other/file')]).toEqual([false, 'as it was']);
});
