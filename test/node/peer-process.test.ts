import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isDoubtfulOrphan } from '../../electron/node/doubtful-orphan.ts';
import { findPeerProcess, isOffspring } from '../../electron/node/peer-process.ts';
import type { ProcessInfo } from '../../electron/node/process-info.ts';
import { systemProcesses } from '../../electron/node/process-table.ts';
import { runMark } from '../../electron/node/sweep.ts';
import { findInLsof, findSocketRow } from '../../electron/node/socket-table.ts';
import { below, eventually, firstLine, goneWithin, killAfterTest, start } from './support/processes.ts';

async function listen(host: string): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { server, port: (server.address() as AddressInfo).port };
}

async function accept(server: Server): Promise<{ remotePort: number; localPort: number }> {
  const [socket] = (await once(server, 'connection')) as [Socket];
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return { remotePort: socket.remotePort ?? 0, localPort: socket.localPort ?? 0 };
}

const dial = (host: string, port: number): string[] => ['-e', `require("net").connect(${port}, "${host}")`];

describe('the peer of a loopback connection', () => {
  test.each(['127.0.0.1', '::1'])('through %s is the process that connected', async (host) => {
    const { server, port } = await listen(host);
    const client = start(process.execPath, dial(host, port));
    expect(await findPeerProcess(await accept(server))).toEqual({ kind: 'process', pid: client.pid });
  });

  test('through an IPv4 address mapped into IPv6 is found too', async () => {
    const { server, port } = await listen('::');
    const client = start(process.execPath, dial('127.0.0.1', port));
    expect(await findPeerProcess(await accept(server))).toEqual({ kind: 'process', pid: client.pid });
  });

  test('can be this process itself', async () => {
    const { server, port } = await listen('127.0.0.1');
    const accepted = accept(server);
    const own = connect(port, '127.0.0.1');
    onTestFinished(() => void own.destroy());
    expect(await findPeerProcess(await accepted)).toEqual({ kind: 'process', pid: process.pid });
  });

  test('is unknown, with the reason, when there is no such connection', async () => {
    expect(await findPeerProcess({ remotePort: 1, localPort: 2 })).toMatchObject({ kind: 'unknown' });
  });

  test.runIf(process.getuid?.() === 0)('of another user is unknown', async () => {
    const { server, port } = await listen('127.0.0.1');
    const program = `exec 3<>/dev/tcp/127.0.0.1/${port}; sleep 1000; :`;
    start('setpriv', ['--reuid=65534', '--clear-groups', 'bash', '-c', program]);
    expect(await findPeerProcess(await accept(server))).toEqual({
      kind: 'unknown',
      reason: 'the connection belongs to another user (uid 65534)',
    });
  });
});

describe('offspring', () => {
  const mark = runMark('0123456789ab', 'run');
  const nobody = { roots: new Set<number>(), marker: 'TEST_RUN', mark };

  test('is a root and whatever is below it', async () => {
    const parent = start('/bin/sh', ['-c', 'sh -c "sleep 1000; :" & echo up; wait']);
    await firstLine(parent);
    const pids = [parent.pid, ...(await below(parent.pid))];
    const answers = await Promise.all(
      pids.map((pid) => isOffspring(pid, { ...nobody, roots: new Set([parent.pid]) })),
    );
    expect(answers.every(Boolean)).toBe(true);
    expect(await isOffspring(process.pid, { ...nobody, roots: new Set([parent.pid]) })).toBe(false);
  });

  test('is found by its mark after setsid and the death of its parent, also below a process that cleared it', async () => {
    const env = { ...process.env, TEST_RUN: mark };
    const script = 'setsid sh -c "env -i sleep 1000; :" & echo $!; wait';
    const parent = start('/bin/sh', ['-c', script], { env });
    const escapee = Number(await firstLine(parent));
    const cleared = await eventually(async () => {
      const found = await below(escapee);
      return found.length > 0 ? found : undefined;
    });
    for (const pid of [escapee, ...cleared]) killAfterTest(pid);
    parent.kill('SIGKILL');
    await goneWithin(parent.pid, 1_000);
    expect(await isOffspring(escapee, nobody)).toBe(true);
    expect(await isOffspring(cleared[0] as number, nobody)).toBe(true);
  });

  test.runIf(process.platform === 'linux').each([
    ['emptied its environment', 'setsid -f env -i /bin/sh', true],
    ['has an ordinary one', 'setsid -f /bin/sh', false],
  ])('in doubt is an orphan that %s', async (_what, how, expected) => {
    // The orphan says its number, so that it is found and ended.
    const parent = start('/bin/sh', ['-c', `${how} -c 'echo $$; exec 1>&-; exec sleep 1000'`]);
    const orphan = Number(await firstLine(parent));
    killAfterTest(orphan);
    await goneWithin(parent.pid, 2_000);
    expect(await isOffspring(orphan, nobody)).toBe(expected);
  });

  test.runIf(process.platform === 'linux')(
    'in doubt is what an orphan with an empty environment starts',
    async () => {
      const inner = "HOME=/root PATH=/usr/bin:/bin USER=x sh -c 'echo $$; exec 1>&-; sleep 1000; :'; :";
      const parent = start('/bin/sh', [
        '-c',
        `setsid -f env -i /bin/sh -c "${inner.replaceAll('$', '\\$')}"`,
      ]);
      const child = Number(await firstLine(parent));
      const above = (await systemProcesses.find(child))?.ppid ?? 0;
      for (const pid of [child, above]) killAfterTest(pid);
      await goneWithin(parent.pid, 2_000);
      expect(await isOffspring(child, nobody)).toBe(true);
    },
  );

  test('is not a stranger, but whoever is gone counts as one in doubt', async () => {
    const stranger = start('sleep', ['1000'], { env: { ...process.env, TEST_RUN: `${mark}2` } });
    expect(await isOffspring(stranger.pid, nobody)).toBe(false);
    expect(await isOffspring(2 ** 22 + 1, nobody)).toBe(true);
  });
});

const info = (pid: number, ppid: number, name = 'python3'): ProcessInfo => ({
  pid,
  ppid,
  pgid: pid,
  startTime: 'x',
  zombie: false,
  name,
});
const init = info(1, 0, 'init');
const manager = info(40, 1, 'systemd');
const login = ['HOME', 'PATH', 'USER'];

test.each([
  ['an orphan without variables', info(9, 1), init, [], true],
  ['an orphan that hides them', info(9, 1), init, undefined, true],
  ['an orphan with two', info(9, 1), init, ['HOME', 'PATH'], true],
  ['an orphan with what a shell makes by itself', info(9, 1), init, ['PWD', 'SHLVL', '_', 'OLDPWD'], true],
  ['an orphan with what a login has', info(9, 1), init, login, false],
  ['what docker exec starts', info(9, 0), undefined, ['PATH', 'HOSTNAME', 'HOME'], false],
  ['an orphan of a person with systemd', info(9, 40), manager, [], true],
  ['an orphan of a person with systemd that hides them', info(9, 40), manager, undefined, true],
  ['a program that systemd started', info(9, 40), manager, login, false],
  ['an orphan below another that collects orphans', info(9, 50), info(50, 1, 'tini'), [], true],
  ['the user part of sshd', info(9, 50), info(50, 1, 'sshd'), undefined, false],
  ['env -i in a terminal', info(9, 60), info(60, 50, 'bash'), [], false],
  ['the systemd of a person', manager, init, undefined, false],
  ['another by the name of systemd', info(41, 1, 'systemd'), init, undefined, true],
  ['init itself', init, undefined, undefined, false],
])('of orphans, %s is judged by its environment', (_what, self, parent, variables, expected) => {
  const isUserManager = ({ pid }: ProcessInfo): boolean => pid === manager.pid;
  expect(isDoubtfulOrphan({ self, parent, variables, isUserManager })).toBe(expected);
});

test('only loopback rows with both ports count in the socket table', () => {
  const row = (own: string, peer: string) =>
    `   1: ${own} ${peer} 01 00000000:00000000 00:00000000 00000000  1000        0 4711 1`;
  const table = [
    row('0100A8C0:1F90', '0100007F:0050'),
    row('0100007F:1F90', '0100007F:0051'),
    row('0100007F:1F90', '0100007F:0050'),
  ];
  expect(findSocketRow(table.join('\n'), 8080, 80)).toEqual({ inode: '4711', uid: 1000 });
  expect(findSocketRow(table.slice(0, 2).join('\n'), 8080, 80)).toBeUndefined();
});

test('lsof lists both ends; the one whose own port matches is the peer', () => {
  const text = 'p10\nf5\nn127.0.0.1:80->127.0.0.1:8080\np11\nf9\nn127.0.0.1:8080->127.0.0.1:80\n';
  expect(findInLsof(text, 8080, 80)).toBe(11);
  expect(findInLsof(text, 8081, 80)).toBeUndefined();
});
