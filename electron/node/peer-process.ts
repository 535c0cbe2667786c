import { execFile } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { nextTurn } from './clock.ts';
import { isDoubtfulOrphan } from './doubtful-orphan.ts';
import { isUserManager, listPids, variableNames } from './process-linux.ts';
import { type ProcessInfo, ancestorsOf } from './process-info.ts';
import { systemProcesses } from './process-table.ts';
import { findInLsof, findSocketRow } from './socket-table.ts';

/** Ports of a loopback TCP connection as its server sees them (`socket.remotePort`, `socket.localPort`). */
export interface PeerPorts {
  readonly remotePort: number;
  readonly localPort: number;
}

/** The process at the other end, or why it could not be told (treat that as a stranger). */
export type Peer =
  | { readonly kind: 'process'; readonly pid: number }
  | { readonly kind: 'unknown'; readonly reason: string };

const unknown = (reason: string): Peer => ({ kind: 'unknown', reason });

/** Links read between two turns of the event loop: about 1 ms. */
const linksPerTurn = 256;

function openFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    // Gone meanwhile, or another user's: it holds nothing of ours.
    return [];
  }
}

function linkOf(pid: number, descriptor: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    // Closed between the listing and now.
    return '';
  }
}

async function findSocketHolder(inode: string): Promise<number | undefined> {
  const wanted = `socket:[${inode}]`;
  let read = 0;
  for (const pid of listPids()) {
    if (pid === process.pid) continue;
    for (const descriptor of openFiles(pid)) {
      read += 1;
      if (read % linksPerTurn === 0) await nextTurn();
      if (linkOf(pid, descriptor) === wanted) return pid;
    }
  }
  // Ourselves last: a process that talks to its own server is the rarest case.
  const own = openFiles(process.pid).some((descriptor) => linkOf(process.pid, descriptor) === wanted);
  return own ? process.pid : undefined;
}

async function findOnLinux({ remotePort, localPort }: PeerPorts): Promise<Peer> {
  const read = (file: string): Promise<string> =>
    readFile(`/proc/self/net/${file}`, 'latin1').catch(() => '');
  // The other end's own port is our remote port.
  const row =
    findSocketRow(await read('tcp'), remotePort, localPort) ??
    findSocketRow(await read('tcp6'), remotePort, localPort);
  if (row === undefined) return unknown('the connection is not in the socket table of this machine');
  if (row.uid !== process.getuid?.())
    return unknown(`the connection belongs to another user (uid ${row.uid})`);
  if (row.inode === '0') return unknown('the other end has closed the connection');
  const pid = await findSocketHolder(row.inode);
  if (pid === undefined) return unknown('no process of this user holds the other end');
  return { kind: 'process', pid };
}

async function findOnDarwin({ remotePort, localPort }: PeerPorts): Promise<Peer> {
  const args = [
    '-nP',
    '-a',
    '-u',
    String(process.getuid?.()),
    `-iTCP:${remotePort}`,
    '-sTCP:ESTABLISHED',
    '-Fpn',
  ];
  try {
    const { stdout } = await promisify(execFile)('/usr/sbin/lsof', args, { timeout: 5_000 });
    const pid = findInLsof(stdout, remotePort, localPort);
    return pid === undefined
      ? unknown('no process of this user holds the other end')
      : { kind: 'process', pid };
  } catch {
    // Missing, slow or denied: an unknown peer is refused.
    return unknown('lsof did not answer');
  }
}

/** The process at the other end of a loopback connection of ours; never throws. Linux /proc, macOS lsof, else unknown. */
export async function findPeerProcess(ports: PeerPorts): Promise<Peer> {
  if (process.platform === 'linux') return findOnLinux(ports);
  if (process.platform === 'darwin') return findOnDarwin(ports);
  return unknown(`processes behind connections cannot be told on ${process.platform}`);
}

/** Whose offspring to look for: processes below `roots`, or carrying `mark` (see runMark) in the variable `marker`. */
export interface Offspring {
  readonly roots: ReadonlySet<number>;
  readonly marker: string;
  readonly mark: string;
}

/** Linux only: on macOS init is the parent of every program on the screen, and many of them hide their environment. */
async function isOrphanInDoubt(self: ProcessInfo, parent: ProcessInfo | undefined): Promise<boolean> {
  if (process.platform !== 'linux' || !(await systemProcesses.isOurs(self.pid))) return false;
  return isDoubtfulOrphan({ self, parent, variables: variableNames(self.pid), isUserManager });
}

/**
 * True when the process is one of `roots` or below one, or when it or anything above it carries the mark (found also after
 * setsid and when orphaned), and true when the process is gone, unreadable, or an orphan that cleared its environment: in doubt
 * it counts as offspring.
 */
export async function isOffspring(pid: number, { roots, marker, mark }: Offspring): Promise<boolean> {
  const processes = await systemProcesses.list();
  const self = processes.find((info) => info.pid === pid);
  if (self === undefined) return true;
  const line = [self, ...ancestorsOf(pid, processes)];
  for (const [index, info] of line.entries()) {
    if (roots.has(info.pid)) return true;
    if ((await systemProcesses.variable(info.pid, marker)) === mark) return true;
    if (await isOrphanInDoubt(info, line[index + 1])) return true;
  }
  return false;
}
