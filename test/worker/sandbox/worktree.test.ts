import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../electron/node/clock.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';
import { linkedRepository } from '../../../electron/worker/sandbox/linked-repository.ts';
import { SessionSandbox } from '../../../electron/worker/sandbox/session-sandbox.ts';
import { noSandbox } from '../../../shared/domain/sandbox.ts';
import { type SandboxBench, sandboxBench, skipReason } from './support.ts';

let bench: SandboxBench;
let repository: string;
let own: string;
const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: bench.person },
    encoding: 'utf8',
    stdio: 'pipe',
  });
/** The session directory becomes a linked worktree of a repository beside it. */
beforeEach(() => {
  bench = sandboxBench();
  repository = join(bench.person, 'repository');
  mkdirSync(repository);
  rmSync(bench.dir, { recursive: true });
  git(repository, 'init', '-q', '-b', 'main');
  git(repository, 'commit', '-q', '--allow-empty', '-m', 'first');
  git(repository, 'worktree', 'add', '-q', bench.dir);
  own = join(repository, '.git/worktrees/work');
});
afterEach(() => bench.remove());

const commit = 'echo x > x && git add x && git -c user.name=a -c user.email=a@b.c commit -q -m second';

describe.skipIf(skipReason !== null)('a session in a linked worktree of Git', () => {
  test('commits, and the branch of the repository has it', async () => {
    const { output, end } = await bench.run(commit);
    expect([output, end.exit.code, end.notes, git(repository, 'log', '--format=%s', 'work')]).toEqual([
      '',
      0,
      [],
      'second\nfirst\n',
    ]);
  });

  test('changes nothing there that Git runs or follows', async () => {
    const common = join(repository, '.git');
    const tries = [
      `echo x > ${common}/hooks/pre-commit`,
      `echo x >> ${common}/config`,
      'git config core.fsmonitor /bin/true',
      `echo x > ${common}/HEAD`,
      `echo x > ${common}/info/attributes`,
      `mv ${common}/objects ${common}/moved`,
      `echo /elsewhere > ${own}/commondir`,
      `rm -f ${own}/gitdir`,
      'echo gitdir: /elsewhere > .git',
      'mv .git moved',
      `echo x > ${repository}/made`,
    ];
    const before = readdirSync(common).toSorted();
    const { output } = await bench.run(
      tries.map((one) => `(${one}) 2>/dev/null && echo 'worked: ${one}'`).join('; '),
    );
    const { end } = await bench.run(`printf '[core]\\nfsmonitor = /bin/true\\n' > ${own}/config.worktree`);
    expect([output, readdirSync(common).toSorted(), existsSync(join(own, 'config.worktree'))]).toEqual([
      '',
      before,
      false,
    ]);
    expect(end.notes).toEqual([expect.stringContaining('config.worktree cannot be made in the sandbox')]);
  });
});

describe('the repository of a linked worktree', () => {
  const write = (path: string, text: string): void => writeFileSync(path, text);
  const found = () => linkedRepository(bench.dir);

  test('is what Git made of it', async () => {
    const common = join(repository, '.git');
    expect(await found()).toEqual({
      own,
      shared: [join(common, 'objects'), join(common, 'refs'), join(common, 'logs')],
    });
  });

  test.each<[string, () => void]>([
    ['the repository does not point back', () => write(join(own, 'gitdir'), '/elsewhere/.git\n')],
    ['it points back to nothing', () => rmSync(join(own, 'gitdir'))],
    ['what is shared is said to be elsewhere', () => write(join(own, 'commondir'), '../../..\n')],
    ['there are no objects', () => rmSync(join(repository, '.git/objects'), { recursive: true })],
    [
      'a link stands for the references',
      () => {
        rmSync(join(repository, '.git/refs'), { recursive: true });
        symlinkSync('/etc', join(repository, '.git/refs'));
      },
    ],
    ['.git is more than one line', () => write(join(bench.dir, '.git'), `gitdir: ${own}\n\nx`)],
    [
      '.git is a link',
      () => {
        const text = readFileSync(join(bench.dir, '.git'));
        rmSync(join(bench.dir, '.git'));
        writeFileSync(join(bench.dir, 'pointer'), text);
        symlinkSync('pointer', join(bench.dir, '.git'));
      },
    ],
    [
      '.git names a folder made to look like one',
      () => {
        const made = join(bench.dir, 'made');
        mkdirSync(made);
        write(join(made, 'gitdir'), join(bench.dir, '.git'));
        write(join(made, 'commondir'), join(repository, '.git'));
        write(join(bench.dir, '.git'), `gitdir: ${made}\n`);
      },
    ],
    [
      '.git names the worktree of another folder',
      () => {
        git(repository, 'worktree', 'add', '-q', join(bench.person, 'other'));
        write(join(bench.dir, '.git'), `gitdir: ${join(repository, '.git/worktrees/other')}\n`);
      },
    ],
    ['it is a repository itself', () => rmSync(join(bench.dir, '.git'))],
  ])('is not believed when %s', async (_what, change) => {
    change();
    expect(await found()).toBe(null);
  });
});

test.skipIf(skipReason !== null)(
  'what becomes a worktree after the first command opens nothing',
  async () => {
    const { dir, home, scratch } = bench;
    const pointer = readFileSync(join(dir, '.git'));
    const ids = createSystemIds(systemClock);
    const opens = async (sandbox: SessionSandbox): Promise<boolean> => {
      const entered = await sandbox.enter({ program: '/bin/true', args: [] }, { dir, environment: {} });
      await entered.leave();
      return entered.args.includes(join(repository, '.git/objects'));
    };
    const make = () => new SessionSandbox({ config: async () => noSandbox, home, scratch, ids });
    const [before, after] = [make(), make()];
    const first = await opens(before);
    rmSync(join(dir, '.git'));
    const without = [await opens(before), await opens(after)];
    writeFileSync(join(dir, '.git'), pointer);
    expect([first, without, await opens(before), await opens(after)]).toEqual([
      true,
      [false, false],
      true,
      false,
    ]);
  },
);
