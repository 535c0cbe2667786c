import * as z from 'zod/mini';

const place = { storeDb: z.string(), blobsDir: z.string(), searchDb: z.string() };

/** Which events a search may find; all of them without any member. `notFrom`: nothing of that session from that seq on. */
const searchFilter = {
  session: z.optional(z.string()),
  /** Wall ms. */
  since: z.optional(z.number()),
  notFrom: z.optional(z.object({ session: z.string(), seq: z.number() })),
};
const searchFilterSchema = z.object(searchFilter);
/** Which events a search may find. */
export type SearchFilter = z.infer<typeof searchFilterSchema>;

/** What a reader process is asked to do; one JSON on its standard input. Paths are absolute. */
export const readerJobSchema = z.discriminatedUnion('job', [
  /** The whole log of a session as JSON lines. */
  z.object({ job: z.literal('export'), ...place, session: z.string() }),
  /** Brings `search.db` up to date and prints hits as JSON lines, newest first, then one `searchEnd`. */
  z.object({ job: z.literal('search'), ...place, query: z.string(), limit: z.number(), ...searchFilter }),
  /** Prints one JSON: what is damaged. */
  z.object({ job: z.literal('check'), ...place }),
  /** Makes a folder `to` with the database, its blobs and the settings file (where there is one); prints one JSON. */
  z.object({ job: z.literal('backup'), ...place, settingsFile: z.string(), to: z.string() }),
]);
export type ReaderJob = z.infer<typeof readerJobSchema>;
/** The job of one kind. */
export type JobOf<Kind extends ReaderJob['job']> = Extract<ReaderJob, { job: Kind }>;

/** One line of `search`; `text` is cut to the place that was found. */
export const searchHitSchema = z.object({
  session: z.string(),
  seq: z.number(),
  at: z.number(),
  /** Who said it: a principal, or `Kairos`. */
  who: z.string(),
  text: z.string(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

/** The last line of `search`. `indexed`: false while the first index of a long history is being made. `recentOnly`: looked through the newest events alone, as the index cannot know the words. */
export const searchEndSchema = z.object({ indexed: z.boolean(), recentOnly: z.boolean() });
export type SearchEnd = z.infer<typeof searchEndSchema>;

/** The line of `check`; both lists are empty when all is well. */
export const checkReportSchema = z.object({
  database: z.array(z.string()),
  missingBlobs: z.array(z.string()),
});
export type CheckReport = z.infer<typeof checkReportSchema>;

/** The line of `backup`. `missing`: blobs that the store refers to and that are not there (any more). */
export const backupReportSchema = z.object({
  to: z.string(),
  bytes: z.number(),
  blobs: z.number(),
  missing: z.array(z.string()),
});
export type BackupReport = z.infer<typeof backupReportSchema>;

/** The line on standard error when a job failed. */
export const readerFaultSchema = z.object({
  code: z.string(),
  message: z.string(),
  next: z.optional(z.string()),
});
