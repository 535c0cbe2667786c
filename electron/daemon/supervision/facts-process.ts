import { text } from 'node:stream/consumers';
import { KairosError } from '../../../shared/base/errors.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import { type FactsAnswer, factsAnswerSchema, type FactsJob } from '../../../shared/protocol/facts-job.ts';
import { startChild } from '../../node/child.ts';
import { ReaderPlaces } from '../events/reader-places.ts';

/** Where the program is and what it is started with. */
export interface FactsProcessOptions {
  readonly entry: string;
  readonly cwd: string;
  /** The environment of a worker: facts follow from it too. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

const deadlineMs = 20_000;
const mostAtOnce = 2;
const mostWaiting = 16;

/** Gathers the facts of a call that nobody makes in a process of its own, which is a worker's code; rejects with `timed_out`, `busy` or `internal`. */
export function factsProcess(options: FactsProcessOptions): (job: FactsJob) => Promise<FactsAnswer> {
  const places = new ReaderPlaces(mostAtOnce, mostWaiting);
  return async (job) => {
    await places.take();
    try {
      return await gather(options, job);
    } finally {
      places.give();
    }
  };
}

async function gather({ entry, cwd, env, clock }: FactsProcessOptions, job: FactsJob): Promise<FactsAnswer> {
  const spec = { command: process.execPath, args: [entry], cwd, env: { ...env } };
  const child = await startChild({ ...spec, stdio: ['pipe', 'pipe', 'pipe'] }, clock);
  let late = false;
  const cancel = clock.after(deadlineMs, () => {
    late = true;
    child.kill();
  });
  child.process.stdin?.end(JSON.stringify(job));
  const { stdout, stderr } = child.process;
  const [output, complaint, exit] = await Promise.all([
    stdout ? text(stdout) : '',
    stderr ? text(stderr) : '',
    child.exited,
  ]);
  cancel();
  if (late) throw new KairosError('timed_out', 'Looking at the call took too long and was stopped.');
  if (exit.code !== 0)
    throw new KairosError('internal', 'The call could not be looked at.', { cause: new Error(complaint) });
  return factsAnswerSchema.parse(JSON.parse(output));
}
