import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '../../shared/base/errors.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

const longestTryMs = 10_000;
/** Stands in the files of the check. */
const secret = 'what nobody inside may read';
const kept = 'as it was';

/** What a command inside tries. What came of it is looked at from outside. */
const attempts = [
  'echo started',
  'echo x > "$work/made"',
  ': > "/dev/tcp/127.0.0.1/$open"',
  'cat "$hidden/secret"',
  'ln "$hidden/secret" "$work/link" && cat "$work/link"',
  'cp -c "$hidden/secret" "$work/clone" && cat "$work/clone"',
  'cat "/System/Volumes/Data$hidden/secret"',
  'echo x > "$outside/made"',
  'ln "$outside/kept" "$work/kept" && echo x > "$work/kept"',
  'echo x > "$work/.git/hooks/made"',
  'mv "$work/.git" "$work/moved"',
  'echo x > "$work/.mcp.json"',
  'echo x > "$work/.MCP.json"',
  ': > "/dev/tcp/127.0.0.1/$closed"',
  'nc -w 2 -U "$socket" < /dev/null',
  'kill -0 "$outer" && echo reached another process',
];
const script = attempts.map((attempt) => `{ ( ${attempt} ); } 2>/dev/null`).join('\n');

/** The folders of one check, and what listens beside them. */
interface Ground {
  readonly root: string;
  readonly open: Listener;
  readonly closed: Listener;
  readonly socket: Listener;
}

/**
 * Tries sandbox-exec with a profile of the kind that commands get. null: it lets through what it should and nothing else; otherwise
 * what is wrong, a clause for people.
 */
export async function seatbeltProblem(program: string): Promise<string | null> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'kairos-check-')));
  const listeners: Listener[] = [];
  const listen = async (path?: string): Promise<Listener> => {
    const listener = await startListener(path);
    listeners.push(listener);
    return listener;
  };
  try {
    for (const name of ['work/.git/hooks', 'outside', 'hidden'])
      await mkdir(join(root, name), { recursive: true });
    await writeFile(join(root, 'hidden/secret'), secret);
    await writeFile(join(root, 'outside/kept'), kept);
    const ground = {
      root,
      open: await listen(),
      closed: await listen(),
      socket: await listen(join(root, 's')),
    };
    const said = await tryInside(program, ground);
    return said.includes('started') ? await firstProblem(ground, said) : said;
  } catch (error) {
    return errorMessage(error);
  } finally {
    for (const { server } of listeners) server.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** What was said inside; when nothing was, what the program complained about. */
async function tryInside(program: string, { root, open, closed }: Ground): Promise<string> {
  const at = (name: string): string => join(root, name);
  const profile = seatbeltProfile({
    places: [
      { kind: 'hide', path: at('hidden') },
      { kind: 'write', path: at('work') },
      { kind: 'write', path: at('work/.git') },
      { kind: 'read', path: at('work/.git/hooks') },
    ],
    absent: [at('work/.mcp.json')],
    ports: [open.port],
  });
  await writeFile(at('profile.sb'), profile);
  const env = {
    PATH: '/usr/bin:/bin',
    work: at('work'),
    hidden: at('hidden'),
    outside: at('outside'),
    socket: at('s'),
    open: String(open.port),
    closed: String(closed.port),
    outer: String(process.pid),
  };
  const args = ['-f', at('profile.sb'), '/bin/bash', '-c', script];
  return new Promise((resolve) => {
    execFile(program, args, { cwd: at('work'), env, timeout: longestTryMs }, (error, stdout, stderr) => {
      const complaint = stderr.trim().split('\n')[0] ?? '';
      if (stdout !== '') resolve(stdout);
      else resolve(complaint === '' ? `nothing ran in it${error ? `: ${error.message}` : ''}` : complaint);
    });
  });
}

async function firstProblem({ root, open, closed, socket }: Ground, said: string): Promise<string | null> {
  const there = (name: string): Promise<boolean> =>
    lstat(join(root, name)).then(
      () => true,
      () => false,
    );
  const outside = await readFile(join(root, 'outside/kept'), 'utf8').catch(() => '');
  const findings: readonly (readonly [boolean, string])[] = [
    [!(await there('work/made')), 'what may be written could not be'],
    [open.reached() === 0, 'a connection that is allowed failed'],
    [said.includes(secret), 'what is hidden could be read'],
    [await there('outside/made'), 'a file outside could be made'],
    [outside !== kept, 'a file outside could be changed'],
    [await there('work/.git/hooks/made'), 'a protected folder could be written to'],
    [!(await there('work/.git/hooks')), 'a protected folder could be moved'],
    [(await there('work/.mcp.json')) || (await there('work/.MCP.json')), 'a protected file could be made'],
    [closed.reached() > 0, 'a connection that is not allowed succeeded'],
    [socket.reached() > 0, 'a Unix socket could be reached'],
    [said.includes('reached another process'), 'processes outside could be signalled'],
  ];
  return findings.find(([isSo]) => isSo)?.[1] ?? null;
}

/** Something that listens, and how often it was reached. */
interface Listener {
  readonly server: Server;
  readonly port: number;
  reached(): number;
}

async function startListener(path?: string): Promise<Listener> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on('error', () => socket.destroy());
    socket.destroy();
  });
  if (path === undefined) server.listen(0, '127.0.0.1');
  else server.listen(path);
  await once(server, 'listening');
  const address = server.address() as AddressInfo | string;
  return { server, port: typeof address === 'string' ? 0 : address.port, reached: () => count };
}
