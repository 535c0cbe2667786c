import * as z from 'zod/mini';

const place = { storeDb: z.string(), blobsDir: z.string(), searchDb: z.string() };

/** What a reader process is asked to do; one JSON on its standard input. Paths are absolute. */
export const readerJobSchema = z.discriminatedUnion('job', [
  /** The whole log of a session as JSON lines. */
  z.object({ job: z.literal('export'), ...place, session: z.string() }),
  /** Brings `search.db` up to date and prints hits as JSON lines, newest first. */
  z.object({ job: z.literal('search'), ...place, query: z.string(), limit: z.number() }),
  /** Prints one JSON: what is damaged. */
  z.object({ job: z.literal('check'), ...place }),
  /** Writes a complete copy of the database to a file that does not exist yet. */
  z.object({ job: z.literal('backup'), ...place, to: z.string() }),
]);
export type ReaderJob = z.infer<typeof readerJobSchema>;
export type JobOf<Kind extends ReaderJob['job']> = Extract<ReaderJob, { job: Kind }>;

/** One line of `export`: an event as it was stored. */
export const searchHitSchema = z.object({
  session: z.string(),
  seq: z.number(),
  at: z.number(),
  text: z.string(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

/** The line of `check`; both lists are empty when all is well. */
export const checkReportSchema = z.object({
  database: z.array(z.string()),
  missingBlobs: z.array(z.string()),
});
export type CheckReport = z.infer<typeof checkReportSchema>;

/** The line on standard error when a job failed. */
export const readerFaultSchema = z.object({
  code: z.string(),
  message: z.string(),
  next: z.optional(z.string()),
});
