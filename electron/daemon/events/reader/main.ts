import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { assertNever } from '../../../../shared/base/assert-never.ts';
import { KairosError, errorCode, errorMessage } from '../../../../shared/base/errors.ts';
import { systemClock } from '../../../node/clock.ts';
import { storageFault } from '../sqlite/faults.ts';
import { backUp } from './back-up.ts';
import { check } from './copies.ts';
import { type JobOf, type ReaderJob, readerJobSchema } from './job.ts';
import { search } from './search.ts';
import { eventsOf, openSource } from './source.ts';

const eventsPerPage = 500;

/** Prints a value as a line, waiting while nobody reads. */
async function print(value: unknown): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(value)}\n`)) await once(process.stdout, 'drain');
}

async function exportSession(job: JobOf<'export'>): Promise<void> {
  const source = openSource(job.storeDb);
  for (const page of eventsOf(source, job.blobsDir, job.session, eventsPerPage)) {
    for (const event of page) await print(event);
  }
  source.close();
}

async function run(job: ReaderJob): Promise<void> {
  switch (job.job) {
    case 'export':
      return exportSession(job);
    case 'search': {
      const { hits, ...end } = search(job, systemClock);
      for (const hit of hits) await print(hit);
      return print(end);
    }
    case 'check':
      return print(check(job));
    case 'backup':
      return print(backUp(job));
    default:
      return assertNever(job, 'reader job');
  }
}

/** Does one job over the store's files, outside the daemon, and ends. Any fault is one JSON line on stderr and exit code 1. */
async function main(): Promise<void> {
  process.title = 'kairos-reader';
  process.umask(0o077);
  let job: ReaderJob | undefined;
  try {
    job = readerJobSchema.parse(JSON.parse(await text(process.stdin)));
    await run(job);
  } catch (error) {
    const fault = storageFault(error, job?.storeDb ?? 'the store') ?? error;
    const next = fault instanceof KairosError ? fault.next : undefined;
    process.stderr.write(
      `${JSON.stringify({ code: errorCode(fault), message: errorMessage(fault), next })}\n`,
    );
    process.exitCode = 1;
  }
}

// Nobody reads any more: there is nothing left to do.
process.stdout.on('error', () => process.exit(1));
await main();
