import { createHash } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallResult } from '../../../shared/domain/messages.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import { noSandbox, type SandboxConfig } from '../../../shared/domain/sandbox.ts';
import { systemClock } from '../../../electron/node/clock.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';
import { grantedBy } from '../../../electron/worker/agent/granted.ts';
import { SessionSandbox } from '../../../electron/worker/sandbox/session-sandbox.ts';
import { createSessionTools } from '../../../electron/worker/tools/session-tools.ts';
import { TaskBook } from '../../../electron/worker/tools/tasks/task-book.ts';
import type { ToolContext } from '../../../electron/worker/tools/tool.ts';
import { allTools } from '../../../electron/worker/tools/tool-table.ts';

/** The real tools of a session in a folder of their own. */
export interface ToolBench {
  /** Real path of the session directory. */
  readonly dir: string;
  readonly scratch: string;
  /** What was stored for the model, by SHA-256. */
  readonly blobs: ReadonlyMap<string, Uint8Array>;
  readonly context: ToolContext;
  readonly tasks: TaskBook;
  /** What the daemon was told about tasks, and the counts that were shown. */
  readonly asked: { readonly verb: string; readonly input: unknown }[];
  readonly counts: readonly number[];
  /** Ends of tasks are not stored (a full disk) until the returned function is called. */
  holdEnds(): () => void;
  prepare(tool: string, input: unknown): Promise<{ facts?: CallFacts; message?: string }>;
  run(facts: CallFacts, signal?: AbortSignal): Promise<CallResult>;
  /** Prepares and runs; a call that cannot be prepared gives its complaint as an error. */
  call(tool: string, input: unknown, signal?: AbortSignal): Promise<CallResult>;
  remove(): void;
}

/** Makes a bench; call `remove` after the test. */
export async function toolBench(sandbox: Partial<SandboxConfig> = {}): Promise<ToolBench> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kairos-tools-')));
  const [dir, scratch] = [join(root, 'work'), join(root, 'scratch')];
  await mkdir(dir);
  await mkdir(scratch, { mode: 0o700 });
  const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: root, KAIROS_RUN: 'test.1' };
  const ids = createSystemIds(systemClock);
  const blobs = new Map<string, Uint8Array>();
  const { tasks, asked, counts, holdEnds } = taskBook(scratch);
  const context: ToolContext = {
    dir,
    scratch,
    tasks,
    home: join(dir, '.kairos'),
    sandbox: new SessionSandbox({
      config: async () => ({ ...noSandbox, ...sandbox }),
      home: join(dir, '.kairos'),
      scratch,
      ids,
    }),
    environment: async () => environment,
    clock: systemClock,
    ids,
    ...keptIn(blobs),
    history: { search: async () => ({ hits: [], note: null }) },
  };
  const tools = createSessionTools(allTools, context);
  const never = new AbortController().signal;
  const bench: ToolBench = {
    dir,
    scratch,
    blobs,
    context,
    tasks,
    asked,
    counts,
    holdEnds,
    async prepare(tool, input) {
      const prepared = await tools.prepare({ id: 'c1', tool, input });
      return prepared.kind === 'ready' ? { facts: prepared.facts } : { message: prepared.message };
    },
    run: (facts, signal = never) =>
      tools.execute(
        grantedBy({ kind: 'granted' }, { id: 'c1', tool: facts.tool, input: facts.input }, facts),
        signal,
      ),
    async call(tool, input, signal) {
      const { facts, message = '' } = await bench.prepare(tool, input);
      return facts === undefined ? { outcome: 'error', output: message } : bench.run(facts, signal);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  return bench;
}

/** What is stored goes into `blobs`. */
function keptIn(blobs: Map<string, Uint8Array>): Pick<ToolContext, 'putBlob' | 'keepFile'> {
  const putBlob = async (bytes: Uint8Array): Promise<string> => {
    const hash = createHash('sha256').update(bytes).digest('hex');
    blobs.set(hash, bytes);
    return hash;
  };
  const keepFile = async (path: string): Promise<{ hash: string; bytes: number }> => {
    const bytes = await readFile(path);
    return { hash: await putBlob(bytes), bytes: bytes.length };
  };
  return { putBlob, keepFile };
}

/** A book of tasks whose daemon takes everything and keeps it. */
function taskBook(scratch: string): Pick<ToolBench, 'tasks' | 'asked' | 'counts' | 'holdEnds'> {
  const counts: number[] = [];
  const asked: ToolBench['asked'] = [];
  let held: Promise<void> = Promise.resolve();
  const holdEnds = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return resolve;
  };
  const tasks = new TaskBook({
    scratch,
    clock: systemClock,
    ids: createSystemIds(systemClock),
    limits: { most: 2, limitMs: 60_000 },
    port: {
      async ask(verb: string, input: unknown) {
        asked.push({ verb, input });
        if (verb === 'taskEnded') await held;
        return { running: 0 } as never;
      },
      background: (count) => counts.push(count),
    },
  });
  return { tasks, asked, counts, holdEnds };
}
