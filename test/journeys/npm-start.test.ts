import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/real/checkout.ts';
import { killNow, processesOf } from '../support/real/processes.ts';
import { waitFor } from '../support/real/wait-for.ts';

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** A bound for a loaded machine, which builds first: it says that the address comes; how fast a start is measures `npm run bench`. */
const addressWithinMs = 120_000;
const loadedMachineMs = addressWithinMs + 60_000;

/** What a stranger has after cloning and installing; each package is linked, so that nothing is fetched or changed here. */
function freshClone(base: string): string {
  const clone = join(base, 'kairos');
  execFileSync('git', ['clone', '--quiet', root, clone], { stdio: ['ignore', 'ignore', 'pipe'] });
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    symlinkSync(join(root, 'node_modules', name), join(clone, 'node_modules', name));
  return clone;
}

/** `npm start` in a terminal of its own: a group that Ctrl+C reaches as a whole. */
function startNpm(clone: string, env: Readonly<Record<string, string>>) {
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return { pid: child.pid as number, said, ended };
}

// An unpacked archive has no history to clone.
it.skipIf(!existsSync(join(root, '.git')))(
  'npm start in a fresh clone prints the address, serves the window, and Ctrl+C ends everything',
  { timeout: loadedMachineMs },
  async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'kr-npm-')));
    const home = join(base, 'home', '.kairos');
    try {
      const clone = freshClone(base);
      mkdirSync(join(base, 'home'));
      mkdirSync(home, { mode: 0o700 });
      const env = { PATH: systemPath, HOME: join(base, 'home'), LANG: 'C.UTF-8', KAIROS_HOME: home };
      const npm = startNpm(clone, env);
      const url = await waitFor(() => /http:\/\/127\.0\.0\.1:\d+/.exec(npm.said.out)?.[0], {
        what: 'the address',
        withinMs: addressWithinMs,
      }).catch((error: Error) => {
        throw new Error(`${error.message}\n${npm.said.out}\n${npm.said.err}`);
      });
      const page = await fetch(`${url}/`);
      const html = await page.text();
      process.kill(-npm.pid, 'SIGINT');
      await npm.ended;
      const living = (): string[] => processesOf(home).map(({ kind, command }) => `${kind} ${command}`);
      await waitFor(() => living().length === 0, {
        what: 'the end of every process',
        withinMs: 30_000,
      }).catch(() => undefined);
      expect({
        installed: npm.said.err.includes('npm ci'),
        page: [page.status, /<title>[^<]*Kairos/i.test(html)],
        left: living(),
      }).toEqual({ installed: false, page: [200, true], left: [] });
    } finally {
      if (existsSync(home)) for (const { pid } of processesOf(home)) killNow(pid);
      rmSync(base, { recursive: true, force: true });
    }
  },
);
