import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { systemClock } from '../../../electron/node/clock.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';
import { findSandbox } from '../../../electron/node/sandbox-state.ts';
import { SessionSandbox } from '../../../electron/worker/sandbox/session-sandbox.ts';
import { runShell, type ShellEnd } from '../../../electron/worker/tools/run-shell.ts';
import { noSandbox, type SandboxConfig } from '../../../shared/domain/sandbox.ts';

const state = await findSandbox();
/** Why what needs a real sandbox is skipped here; null: it is not. */
export const skipReason = state.kind === 'ready' ? null : `${state.why} ${state.next}`;
if (skipReason !== null) process.stderr.write(`sandbox tests are skipped: ${skipReason}\n`);

/** A session with a sandbox in folders of its own; `person` is the home folder of the one who uses it. */
export interface SandboxBench {
  readonly root: string;
  readonly person: string;
  readonly dir: string;
  readonly home: string;
  readonly scratch: string;
  run(command: string, more?: RunOptions): Promise<{ output: string; end: ShellEnd }>;
  /** The output alone, trimmed. */
  out(command: string, more?: RunOptions): Promise<string>;
  remove(): void;
}

export interface RunOptions {
  readonly config?: Partial<SandboxConfig>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Runs as the person themselves, for comparison. */
  readonly outside?: boolean;
}

/** Not below /tmp, which is another one inside; the checkout itself may lie there. */
const parent = [
  realpathSync(fileURLToPath(new URL('../../../', import.meta.url))) + '/node_modules/.cache/kairos-tests',
  join(homedir(), '.cache', 'kairos-tests'),
  '/var/lib/kairos-tests',
].find((path) => !/^(\/private)?\/(tmp|var\/tmp)\//.test(path)) as string;

/** Makes a bench; call `remove` after the test. */
export function sandboxBench(): SandboxBench {
  mkdirSync(parent, { recursive: true });
  const root = realpathSync(mkdtempSync(join(parent, 'sandbox-')));
  const person = join(root, 'person');
  const [dir, home] = [join(person, 'work'), join(person, '.kairos')];
  const scratch = join(home, 'scratch', 's1');
  mkdirSync(dir, { recursive: true });
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const run = runner({ person, dir, home, scratch });
  return {
    root,
    person,
    dir,
    home,
    scratch,
    run,
    out: async (command, more) => (await run(command, more)).output.trim(),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

type Folders = Pick<SandboxBench, 'person' | 'dir' | 'home' | 'scratch'>;

function runner({ person, dir, home, scratch }: Folders): SandboxBench['run'] {
  const ids = createSystemIds(systemClock);
  return async (command, options = {}) => {
    const { config = {}, environment: own = {}, timeoutMs = 20_000, signal, outside = false } = options;
    const holds = { ...noSandbox, ...config };
    const sandbox = new SessionSandbox({ config: async () => holds, home, scratch, ids });
    const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: person, ...own };
    const chunks: Uint8Array[] = [];
    const end = await runShell(
      { command, dir, environment, timeoutMs, scratch, ...(outside ? {} : { sandbox }) },
      async (chunk) => void chunks.push(Buffer.from(chunk)),
      signal ?? new AbortController().signal,
      { clock: systemClock, ids },
    );
    return { output: Buffer.concat(chunks).toString('utf8'), end };
  };
}
