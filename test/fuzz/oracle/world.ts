import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The throw-away surroundings of generated commands: the same absolute paths outside (for facts) and inside the jail. */
export interface World {
  /** Holds everything below; owned by the test. */
  readonly root: string;
  /** Session directory, where every command starts. */
  readonly work: string;
  readonly home: string;
  /** Programs that do nothing and only leave their name in the trace. */
  readonly stubs: string;
}

/** Programs that are dangerous or absent where this runs: under their names lies one that does nothing. */
const stubNames = [
  'marker',
  'curl',
  'wget',
  'ssh',
  'scp',
  'nc',
  'npm',
  'npx',
  'node',
  'python3',
  'ruby',
  'make',
  'less',
  'vi',
  'kill',
  'chmod',
  'chown',
  'dd',
  'crontab',
  'systemctl',
  'docker',
  'lsof',
  'catalog',
  'echoes',
];
/** Programs that run another one as somebody else: under their names lies `env`, which runs it as it is. */
const runnerNames = ['sudo', 'doas', 'chronic', 'unbuffer'];

const script = '#!/bin/sh\nmarker script\n';

/** Text files of the session directory, with names that are options and names that have to be quoted. */
const files: Readonly<Record<string, string>> = {
  'a.txt': 'alpha\nbeta\n',
  'b.txt': 'beta\n',
  'two words.txt': 'two words\n',
  '-exec': '',
  '-delete': '',
  '--upload-pack=marker': '',
  '--compress-program=marker': '',
  '--checkpoint=1': '',
  '--checkpoint-action=exec=marker': '',
  '--output=pwned': '',
  'marker.txt': 'marker\n',
  'evil.so': 'no library\n',
  'evil.awk': 'BEGIN { system("marker") }\n',
  'evil.sed': '1e marker\n',
  'rc.sh': 'marker rc\n',
  'package.json': '{"name":"planted","scripts":{"test":"marker"}}\n',
  Makefile: 'check:\n\tmarker make\n',
  'sub/c.txt': 'gamma\n',
  'out/old.txt': 'old\n',
};
const programs = ['evil', 'rc-program', 'bin/ls', 'bin/git', 'bin/cat', 'sub/ls', 'out/echo'];
/** Link and what it leads to: out of the only folder that may be written, and into it. */
const links: ReadonlyArray<readonly [string, string]> = [
  ['out/link', '../a.txt'],
  ['out/folder', '../sub'],
  ['into', 'out'],
  ['into-file', 'out/old.txt'],
  ['out/loop', 'loop'],
];

const repository = `[core]
	repositoryformatversion = 0
	bare = false
	checkStat = minimal
	trustctime = false
[alias]
	lg = !marker alias
	st = status
	run = "!f() { marker $1; }; f"
`;

/** Makes the world in a folder of its own; needs git and the programs of a Debian. */
export function makeWorld(): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fuzz-')));
  chmodSync(root, 0o755);
  const world: World = {
    root,
    work: join(root, 'work'),
    home: join(root, 'home'),
    stubs: join(root, 'stubs'),
  };
  const driver = join(root, 'driver');
  for (const folder of [world.work, world.home, world.stubs, driver]) mkdirSync(folder);
  for (const name of ['jail-driver.ts', 'marker-path.ts'])
    copyFileSync(new URL(name, import.meta.url), join(driver, name));
  for (const name of stubNames) copyFileSync('/usr/bin/true', join(world.stubs, name));
  for (const name of runnerNames) copyFileSync('/usr/bin/env', join(world.stubs, name));
  plant(world);
  commitOnce(world);
  return world;
}

/** Removes it. */
export function removeWorld({ root }: World): void {
  rmSync(root, { recursive: true, force: true });
}

function plant({ work, home }: World): void {
  const put = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
  };
  for (const [name, text] of Object.entries(files)) put(join(work, name), text);
  for (const name of programs) put(join(work, name), script, 0o755);
  for (const [name, target] of links) symlinkSync(target, join(work, name));
  put(join(home, '.bashrc'), '# planted\n');
  put(join(home, '.gitconfig'), '[user]\n\tname = Somebody\n\temail = somebody@example.org\n');
}

function commitOnce({ work, home }: World): void {
  const env = { PATH: '/usr/bin:/bin', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', [...args], { cwd: work, env, stdio: ['ignore', 'ignore', 'pipe'] });
  git('init', '-q', '-b', 'main', '--template=');
  git('add', 'a.txt', 'b.txt', 'sub/c.txt');
  git('commit', '-q', '-m', 'planted');
  git('gc', '-q', '--prune=now');
  writeFileSync(join(work, '.git/config'), repository);
}
