import type { Bubblewrap } from '../../node/sandbox-state.ts';
import type { Mount } from './mounts.ts';

/** Mounts in the order in which they are made. */
export interface StagedMounts {
  /** What is writable and what is not there. Nothing that runs inside can make another place of their paths. */
  readonly outer: readonly Mount[];
  /** Below what is writable: somebody may put a link there meanwhile, which then leads nowhere but inside. */
  readonly inner: readonly Mount[];
}

/** A profile of one command. Paths are absolute and real. */
export interface Profile {
  readonly bubblewrap: Bubblewrap;
  readonly mounts: StagedMounts;
  readonly cwd: string;
  /** Folder that is /tmp and /var/tmp inside. */
  readonly temp: string;
  /** Descriptors of the child: the seccomp program, and where the pid of what runs is written. */
  readonly filterFd: number;
  readonly infoFd: number;
  /** Who runs Kairos is root, whose nested namespaces need a capability. */
  readonly isRoot: boolean;
  /** The way to the network; null: none. */
  readonly network: NetworkWay | null;
}

/** The proxy's socket on the machine, and the program that carries connections to it inside. */
export interface NetworkWay {
  readonly socket: string;
  readonly socat: string;
  /** Ports of this machine that may be reached: they are found at the same place inside. */
  readonly ports: readonly number[];
}

/** Where the proxy listens inside. */
export const proxyPort = 3128;
const socketInside = '/run/kairos-proxy.sock';

/** Parts of /run that programs themselves live in (NixOS). */
const programFolders = ['/run/current-system', '/run/opengl-driver', '/run/wrappers'];

/**
 * The arguments of bubblewrap, up to and without the command that is to run. Two stages: the outer makes the places and holds the way
 * to the proxy; in it a second bubblewrap closes what is protected and takes away the rest, Unix sockets among it.
 */
export function bubblewrapArgs(profile: Profile): readonly string[] {
  const { mounts, cwd, temp, infoFd, network, isRoot } = profile;
  const hidden = mounts.outer.filter(({ kind, folder }) => kind === 'hide' && folder);
  return [
    spaces,
    isRoot ? ['--cap-add', 'CAP_SETFCAP'] : [],
    system,
    programFolders.flatMap((path) => ['--ro-bind-try', path, path]),
    ['--bind', temp, '/tmp', '--bind', temp, '/var/tmp'],
    mounts.outer.flatMap((mount) => mountArgs(mount, '')),
    hidden.flatMap(({ path }) => ['--remount-ro', path]),
    network === null ? [] : ['--bind', network.socket, socketInside],
    ['--chdir', cwd, '--info-fd', String(infoFd), '--'],
    network === null ? [] : bridge(network),
    innerStage(profile),
  ].flat();
}

/**
 * Every namespace there is. No session of its own, which the second stage makes: so the first process inside stays in the group that a
 * leash kills. `--die-with-parent` alone was seen to leave it behind.
 */
const spaces = words(
  '--unshare-user --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --cap-drop ALL',
);
/** The system as it is, to read; devices, processes and /run of its own. */
const system = words('--ro-bind / / --dev /dev --proc /proc --size 16777216 --tmpfs /run');

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** No capabilities, no further namespaces, the system call filter; settings of the kernel, which root outside could write to, closed. */
function innerStage({ bubblewrap, mounts, cwd, filterFd }: Profile): readonly string[] {
  return [
    [bubblewrap.program, '--unshare-user', '--new-session', '--die-with-parent'],
    bubblewrap.disablesNamespaces ? ['--disable-userns'] : [],
    ['--cap-drop', 'ALL', '--seccomp', String(filterFd), '--dev-bind', '/', '/', '--remount-ro', '/proc'],
    mounts.inner.flatMap((mount) => mountArgs(mount, '-try')),
    ['--chdir', cwd, '--'],
  ].flat();
}

function mountArgs({ kind, path, folder }: Mount, suffix: '' | '-try'): string[] {
  switch (kind) {
    case 'write':
      return [`--bind${suffix}`, path, path];
    case 'read':
      return [`--ro-bind${suffix}`, path, path];
    case 'hide':
      return folder ? ['--perms', '0755', '--tmpfs', path] : ['--ro-bind', '/dev/null', path];
    default:
      return kind satisfies never;
  }
}

/** Starts the way to the proxy, waits until it listens, then goes on in a namespace that cannot touch it. */
const bridgeScript = [
  'way=$1; port=$2; ports=$3; shift 3',
  '"$way" "TCP-LISTEN:$port,bind=127.0.0.1,fork,reuseaddr,backlog=128" "UNIX-CONNECT:$socket" </dev/null >/dev/null 2>&1 &',
  'until (: < "/dev/tcp/127.0.0.1/$port") 2>/dev/null; do kill -0 $! 2>/dev/null || exit 125; done',
  'for own in $ports; do',
  '"$way" "TCP-LISTEN:$own,bind=127.0.0.1,fork,reuseaddr" "PROXY:127.0.0.1:localhost:$own,proxyport=$port" </dev/null >/dev/null 2>&1 &',
  'until (: < "/dev/tcp/127.0.0.1/$own") 2>/dev/null; do kill -0 $! 2>/dev/null || exit 125; done',
  'done',
  'exec "$@"',
].join('\n');

function bridge({ socat, ports }: NetworkWay): string[] {
  const script = `socket=${socketInside}\n${bridgeScript}`;
  return ['/bin/bash', '-c', script, 'bridge', socat, String(proxyPort), ports.join(' ')];
}
