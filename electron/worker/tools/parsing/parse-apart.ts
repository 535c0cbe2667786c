import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { errorCode, errorMessage } from '../../../../shared/base/errors.ts';
import type { Clock, StopSignal } from '../../../../shared/base/ports.ts';
import { Turns } from './turns.ts';
import type { ParseAnswers, ParseEnd, ParseJob } from './parse-job.ts';

/** Time that parsing may take, ms: an ordinary page takes 0.1 s, twenty pages of a PDF 1 s; the rest is for a busy machine. */
export const parseLimitMs: Readonly<Record<ParseJob['kind'], number>> = {
  markdown: 5_000,
  plain: 5_000,
  pdf: 30_000,
  notebook: 10_000,
  glob: 5_000,
};
/** MB of objects, and of bytes outside of V8's heap (what a PDF unpacks to): a page of 10 MB needs 250, a PDF of 50 MB 100. */
const heapMegabytes = 384;
const outsideMegabytes = 384;
/** How often the bytes outside are looked at, ms: V8's own limit does not count them. */
const lookMs = 100;
/** Threads at once in this process: hostile bytes may take two cores and 1.5 GB, never more. */
const mostThreads = 2;
const turns = new Turns(mostThreads);

/** What parsing works with. */
export interface ParsePorts {
  readonly clock: Clock;
  readonly signal: StopSignal;
}

/**
 * Parses bytes that nobody vouches for in a thread of their own, ended when it takes too long or too much memory: the parsers are
 * synchronous and some take minutes for what was made for it, and all sessions of this process would stand still. The bytes are
 * copied. Never rejects because of the bytes.
 */
export async function parseApart<Job extends ParseJob>(
  job: Job,
  { clock, signal }: ParsePorts,
): Promise<ParseEnd<ParseAnswers[Job['kind']]>> {
  const leave = await turns.take(signal);
  if (leave === null) return { kind: 'interrupted' };
  const thread = startThread(job);
  let stop = (): void => undefined;
  const stopped = new Promise<ParseEnd<never>>((resolve) => {
    const cancel = clock.after(parseLimitMs[job.kind], () => resolve({ kind: 'late' }));
    const unwatch = watchMemory(thread, clock, () => resolve({ kind: 'memory' }));
    const interrupt = (): void => resolve({ kind: 'interrupted' });
    signal.addEventListener('abort', interrupt);
    if (signal.aborted) interrupt();
    stop = () => {
      cancel();
      unwatch();
      signal.removeEventListener('abort', interrupt);
    };
  });
  try {
    return await Promise.race([ended<ParseAnswers[Job['kind']]>(thread), stopped]);
  } finally {
    stop();
    // The next may begin when this one is really gone; nobody waits for that.
    void thread.terminate().then(leave, leave);
  }
}

function startThread(job: ParseJob): Worker {
  const fromSource = import.meta.url.endsWith('.ts');
  const entry = fileURLToPath(new URL(fromSource ? './main.ts' : './parser.js', import.meta.url));
  const { KAIROS_COMPILE_CACHE: cache } = process.env;
  return new Worker(entry, {
    workerData: job,
    // Nothing of the environment is a parser's business.
    env: cache === undefined ? {} : { KAIROS_COMPILE_CACHE: cache },
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
}

function ended<Answer>(thread: Worker): Promise<ParseEnd<Answer>> {
  return new Promise((resolve) => {
    thread.once('message', ({ answer }: { readonly answer: Answer }) => resolve({ kind: 'done', answer }));
    thread.on('error', (error: unknown) => {
      if (errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ kind: 'memory' });
      else resolve({ kind: 'failed', reason: errorMessage(error) });
    });
    thread.once('exit', (code) => resolve({ kind: 'failed', reason: `the parser ended with ${code}` }));
  });
}

/** Calls `tooMuch` once the thread holds too many bytes outside of the heap; the function ends the watch. */
function watchMemory(thread: Worker, clock: Clock, tooMuch: () => void): () => void {
  let cancel = (): void => undefined;
  let over = false;
  const look = async (): Promise<void> => {
    try {
      const { external_memory: bytes } = await thread.getHeapStatistics();
      if (bytes > outsideMegabytes * 1024 * 1024) return tooMuch();
    } catch {
      // The thread has ended (or this Node cannot tell, before 22.16): nothing to watch.
      return;
    }
    if (!over) cancel = clock.after(lookMs, () => void look());
  };
  cancel = clock.after(lookMs, () => void look());
  return () => {
    over = true;
    cancel();
  };
}
