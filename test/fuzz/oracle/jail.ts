import { spawn, spawnSync } from 'node:child_process';
import { chownSync, createReadStream, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { markerPath } from './marker-path.ts';
import { findShell } from '../../../electron/node/shell-syntax/which-shell.ts';
import type { World } from './world.ts';

/** Longest that one command may run. */
const timeoutMs = 2_000;

const traced = [
  'execve,execveat,clone,clone3,fork,vfork',
  'open,openat,openat2,creat,truncate,rename,renameat,renameat2,link,linkat,symlink,symlinkat',
  'unlink,unlinkat,mkdir,mkdirat,rmdir,mknod,mknodat,chmod,fchmodat,chown,fchownat,lchown',
  'connect,bind,kill,tkill,tgkill',
].join(',');

const needed = ['strace', 'unshare', 'setpriv', 'git', 'find', 'perl'];

/** Why commands cannot be run here, one sentence; null where they can. */
export function jailProblem(): string | null {
  if (process.platform !== 'linux') return 'commands are traced with strace, which needs Linux';
  const missing = needed.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  if (missing.length > 0) return `not installed: ${missing.join(' ')}`;
  const tried = spawnSync('unshare', [...namespaces, 'true'], { ...asNobody(), stdio: 'ignore' });
  return tried.status === 0 ? null : 'namespaces of an ordinary user are not allowed here';
}

const namespaces = ['--user', '--map-root-user', '--mount', '--net', '--pid', '--ipc', '--uts', '--fork'];
const nobody = 65_534;

/** Root gives itself away first: nothing in the jail maps to it. */
function asNobody(): { uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
}

/**
 * Mounts a root of read-only system folders and a small memory disk, without network, capabilities or other processes, and
 * runs the driver in it under strace, which leads the process namespace.
 */
const setup = `set -e
mkdir "$JAIL/root"
mount -t tmpfs -o size=96m,nr_inodes=20k jail "$JAIL/root"
cd "$JAIL/root"
mkdir -p usr proc dev etc tmp driver "$JAIL/root$WORLD" fresh
chmod 1777 tmp
mount --rbind /usr usr && mount -o remount,ro,bind usr
for folder in bin sbin lib lib32 lib64 libx32; do
  if [ -L "/$folder" ]; then ln -s "usr/$folder" "$folder"
  elif [ -d "/$folder" ]; then mkdir "$folder" && mount --bind "/$folder" "$folder" && mount -o remount,ro,bind "$folder"; fi
done
if [ -d /etc/alternatives ]; then mkdir etc/alternatives && mount --bind /etc/alternatives etc/alternatives && mount -o remount,ro,bind etc/alternatives; fi
mount -t proc proc proc
for device in null zero urandom; do : > "dev/$device" && mount --bind "/dev/$device" "dev/$device"; done
ln -s /proc/self/fd dev/fd && ln -s /proc/self/fd/0 dev/stdin && ln -s /proc/self/fd/1 dev/stdout && ln -s /proc/self/fd/2 dev/stderr
echo 'nobody:x:0:0::/:/bin/sh' > etc/passwd
mkdir -p .$WORLD/work .$WORLD/home .$WORLD/stubs
cp -dR --preserve=mode,timestamps "$WORLD/home/." .$WORLD/home
cp -dR --preserve=mode,timestamps "$WORLD/work/." fresh
mount --bind "$WORLD/stubs" .$WORLD/stubs && mount -o remount,ro,bind .$WORLD/stubs
mount --bind "$DRIVER" driver && mount -o remount,ro,bind driver
: > node && mount --bind "$NODE" node && mount -o remount,ro,bind node
: > jobs.json && mount --bind "$JAIL/jobs.json" jobs.json
ulimit -c 0 -f 16384 -n 256 -u 2000
exec strace -f -y -s 8192 -o "$JAIL/trace" --seccomp-bpf -e trace="$TRACED" -e signal=none \\
  chroot . setpriv --no-new-privs --bounding-set=-all --inh-caps=-all --securebits=+noroot \\
  /node --no-warnings /driver/jail-driver.ts
`;

/** What every command finds in its environment. */
export function jailEnvironment(world: World): Record<string, string> {
  return {
    HOME: world.home,
    LC_CTYPE: 'C.UTF-8',
    PATH: `${world.stubs}:/usr/bin:/bin`,
    SHELL: '/bin/bash',
    USER: 'nobody',
  };
}

/**
 * Runs the commands one after the other and hands over the trace line by line, with the number of the first command that a
 * trace holds. A command that ends its runner only ends its own run: the next ones get a new jail.
 */
export async function runJailed(
  world: World,
  commands: readonly string[],
  take: (line: string, first: number) => void,
): Promise<void> {
  for (let first = 0; first < commands.length; ) {
    const begun = await runOnce(world, commands.slice(first), (line) => take(line, first));
    first += begun;
  }
}

/** How many commands began; all, if none ended the runner. */
async function runOnce(
  world: World,
  commands: readonly string[],
  take: (line: string) => void,
): Promise<number> {
  const jail = mkdtempSync(join(tmpdir(), 'fuzz-jail-'));
  const trace = join(jail, 'trace');
  try {
    const env = jailEnvironment(world);
    const batch = { commands, work: world.work, fresh: '/fresh', env, timeoutMs, shell: await findShell() };
    writeFileSync(join(jail, 'jobs.json'), JSON.stringify(batch), { mode: 0o644 });
    const said = await ended(jail, world);
    let begun = 0;
    const lines = existsSync(trace) ? createInterface(createReadStream(trace)) : [];
    for await (const line of lines) {
      const at = line.indexOf(markerPath);
      if (at >= 0) begun = Math.max(begun, Number.parseInt(line.slice(at + markerPath.length), 10) + 1);
      take(line.replaceAll(`${jail}/root`, ''));
    }
    if (begun === 0) throw new Error(`the jail did not begin: ${said}`);
    return Math.min(begun, commands.length);
  } finally {
    rmSync(jail, { recursive: true, force: true });
  }
}

/** What it said on standard error; its exit code is that of the last command's misdeed. */
async function ended(jail: string, world: World): Promise<string> {
  const env = {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    JAIL: jail,
    WORLD: world.root,
    DRIVER: join(world.root, 'driver'),
    NODE: process.execPath,
    TRACED: traced,
  };
  const { uid } = asNobody();
  if (uid !== undefined) chownSync(jail, uid, uid);
  const child = spawn('unshare', [...namespaces, '--kill-child', 'bash', '-c', setup], {
    ...asNobody(),
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data) => {
    said += String(data);
  });
  await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return said;
}
