import type { Bubblewrap } from '../../node/sandbox-state.ts';
import type { Mount } from './mounts.ts';

/** A profile of one command. Paths are absolute and real. */
export interface Profile {
  readonly bubblewrap: Bubblewrap;
  /** In the order in which they are made. */
  readonly mounts: readonly Mount[];
  readonly cwd: string;
  /** Folder that is /tmp and /var/tmp inside. */
  readonly temp: string;
  /** Descriptors of the child: the seccomp program (null: none), and where the pid of what runs is written. */
  readonly filterFd: number | null;
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

/** The arguments of bubblewrap, up to and without the command that is to run. */
export function bubblewrapArgs(profile: Profile): readonly string[] {
  const { mounts, cwd, temp, infoFd, network } = profile;
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts'],
    ...['--unshare-cgroup-try', '--new-session', '--die-with-parent'],
    ...(network === null ? lastStage(profile) : firstStage(profile)),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--size', '16777216', '--tmpfs', '/run'],
    ...programFolders.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--bind', temp, '/tmp', '--bind', temp, '/var/tmp'],
    ...mounts.flatMap(mountArgs),
    ...(network === null ? closedProc : []),
    ...mounts.flatMap(({ kind, folder, path }) => (kind === 'hide' && folder ? ['--remount-ro', path] : [])),
    ...(network === null ? [] : ['--bind', network.socket, socketInside]),
    ...['--chdir', cwd, '--info-fd', String(infoFd), '--'],
    ...(network === null ? [] : bridged(profile, network)),
  ];
}

/** Who is root outside could write to settings of the kernel. The first of two stages needs it open for the second. */
const closedProc = ['--remount-ro', '/proc'];

/** What the command itself runs under: no capabilities, no further namespaces, the system call filter. */
function lastStage({ bubblewrap, filterFd }: Profile): string[] {
  return [
    ...(bubblewrap.disablesNamespaces ? ['--disable-userns'] : []),
    ...['--cap-drop', 'ALL'],
    ...(filterFd === null ? [] : ['--seccomp', String(filterFd)]),
  ];
}

/** The outer of two stages also holds the way to the proxy, which needs the Unix socket that the command must not have. */
function firstStage({ isRoot }: Profile): string[] {
  return ['--cap-drop', 'ALL', ...(isRoot ? ['--cap-add', 'CAP_SETFCAP'] : [])];
}

function mountArgs({ kind, path, folder }: Mount): string[] {
  switch (kind) {
    case 'write':
      return ['--bind', path, path];
    case 'read':
      return ['--ro-bind', path, path];
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

function bridged(profile: Profile, { socat, ports }: NetworkWay): string[] {
  const { program } = profile.bubblewrap;
  const script = `socket=${socketInside}\n${bridgeScript}`;
  return [
    ...['/bin/bash', '-c', script, 'bridge', socat, String(proxyPort), ports.join(' ')],
    ...[program, '--unshare-user', '--new-session', '--die-with-parent', ...lastStage(profile)],
    ...['--dev-bind', '/', '/', ...closedProc, '--chdir', profile.cwd, '--'],
  ];
}
