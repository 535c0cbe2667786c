import { PassThrough, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { KairosError } from '../../../shared/base/errors.ts';
import type { Clock, Log } from '../../../shared/base/ports.ts';
import { type OwnedChild, startChild } from '../../node/child.ts';
import type { Home } from '../../node/home.ts';
import {
  type BackupReport,
  backupReportSchema,
  type CheckReport,
  checkReportSchema,
  type ReaderJob,
  readerFaultSchema,
  type SearchEnd,
  searchEndSchema,
  type SearchFilter,
  type SearchHit,
  searchHitSchema,
} from './reader/job.ts';
import { ReaderPlaces } from './reader-places.ts';

/** A reader that holds the database open longer is ended: the write-ahead log must not grow for it. */
const searchDeadlineMs = 60_000;
const copyDeadlineMs = 15 * 60_000;

/** Of one kind. */
const mostWaiting = 64;

/** What a search found, newest first, and how it looked. */
export interface FoundHits extends SearchEnd {
  readonly hits: readonly SearchHit[];
}

/**
 * Scans over the store, each in a process of its own that ends with its job; few run at once, the next wait, too many are
 * `busy`. Faults reject (or end the stream) with KairosError.
 */
export interface ReaderClient {
  /** The log of a session as JSON lines; resolves when the first are there. Destroying the stream ends the process. */
  exportSession(session: string): Promise<Readable>;
  /** Newest first; any text is a valid query. */
  search(query: string, limit: number, filter?: SearchFilter): Promise<FoundHits>;
  check(): Promise<CheckReport>;
  /** Makes a complete backup in the folder `to` (absolute), which must not exist, while its parent must: else `bad_input`. */
  backUp(to: string): Promise<BackupReport>;
  /** Ends every reader that runs now; those that wait for a place reject with `busy`. */
  endAll(): void;
}

/** Where the reader program and the home are. */
export interface ReaderClientOptions {
  readonly entry: string;
  readonly home: Pick<Home, 'home' | 'storeDb' | 'blobsDir' | 'searchDb' | 'settingsFile'>;
  readonly clock: Clock;
  readonly log?: Log;
}

type Wanted<Job = ReaderJob> = Job extends unknown ? Omit<Job, 'storeDb' | 'blobsDir' | 'searchDb'> : never;

interface Running {
  readonly child: OwnedChild;
  /** Resolves when the job is done; rejects with its fault. */
  readonly done: Promise<void>;
}

/** Starts a reader process per job. */
export function createReaderClient(options: ReaderClientOptions): ReaderClient {
  const running = new Set<OwnedChild>();
  const placesFor = (most: number): ReaderPlaces => new ReaderPlaces(most, mostWaiting);
  // An export lives as long as somebody slowly reads it: each kind has places of its own.
  const places = { search: placesFor(2), export: placesFor(4), backup: placesFor(1), check: placesFor(1) };
  const start = async (wanted: Wanted, deadlineMs: number): Promise<Running> => {
    await places[wanted.job].take();
    const child = await startReader(options, wanted).catch((error: unknown) => {
      places[wanted.job].give();
      throw error;
    });
    running.add(child);
    void child.exited.then(() => {
      running.delete(child);
      places[wanted.job].give();
    });
    return { child, done: finished(child, options.clock, deadlineMs) };
  };
  const lines = async (wanted: Wanted, deadlineMs: number): Promise<unknown[]> => {
    const { child, done } = await start(wanted, deadlineMs);
    const [output] = await Promise.all([child.process.stdout ? text(child.process.stdout) : '', done]);
    return output.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
  };
  return {
    exportSession: async (session) => streamOf(await start({ job: 'export', session }, copyDeadlineMs)),
    search: async (query, limit, filter = {}) => {
      const printed = await lines({ job: 'search', query, limit, ...filter }, searchDeadlineMs);
      const hits = printed.slice(0, -1).map((line) => searchHitSchema.parse(line));
      return { hits, ...searchEndSchema.parse(printed.at(-1)) };
    },
    check: async () => checkReportSchema.parse((await lines({ job: 'check' }, copyDeadlineMs))[0]),
    backUp: async (to) => {
      const { settingsFile } = options.home;
      return backupReportSchema.parse((await lines({ job: 'backup', settingsFile, to }, copyDeadlineMs))[0]);
    },
    endAll: () => {
      for (const each of Object.values(places)) each.refuseWaiting();
      for (const child of running) child.kill();
    },
  };
}

async function startReader({ entry, home, clock }: ReaderClientOptions, wanted: Wanted): Promise<OwnedChild> {
  const { storeDb, blobsDir, searchDb } = home;
  const child = await startChild(
    {
      command: process.execPath,
      args: [entry],
      cwd: home.home,
      env: { KAIROS_RUN: process.env.KAIROS_RUN, KAIROS_HOME: home.home },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
    clock,
  );
  // The job goes through stdin: what people search for does not belong into the list of processes.
  child.process.stdin?.end(JSON.stringify({ ...wanted, storeDb, blobsDir, searchDb }));
  return child;
}

async function finished(child: OwnedChild, clock: Clock, deadlineMs: number): Promise<void> {
  let late = false;
  const cancel = clock.after(deadlineMs, () => {
    late = true;
    child.kill();
  });
  const [complaint, exit] = await Promise.all([
    child.process.stderr ? text(child.process.stderr) : '',
    child.exited,
  ]);
  cancel();
  if (exit.code === 0) return;
  throw late
    ? new KairosError('timed_out', 'Reading the store took too long and was stopped.')
    : faultOf(complaint);
}

function faultOf(complaint: string): KairosError {
  const line = complaint.trim().split('\n').at(-1) ?? '';
  try {
    const { code, message, next } = readerFaultSchema.parse(JSON.parse(line));
    return new KairosError(code, message, next === undefined ? {} : { next });
  } catch (cause) {
    return new KairosError('internal', `The reader process failed: ${line || 'it was ended'}.`, { cause });
  }
}

/** The child's output as a stream that fails when the job failed; resolves with its first bytes or its end. */
function streamOf({ child, done }: Running): Promise<Readable> {
  const output = new PassThrough();
  output.once('close', () => child.kill());
  return new Promise((resolve, reject) => {
    child.process.stdout?.once('data', () => resolve(output));
    child.process.stdout?.pipe(output, { end: false });
    const ended = new Promise<void>((settle) => child.process.stdout?.once('end', settle));
    done.then(
      async () => {
        await ended;
        resolve(output);
        output.end();
      },
      (fault: Error) => {
        reject(fault);
        output.on('error', () => undefined);
        output.destroy(fault);
      },
    );
  });
}
