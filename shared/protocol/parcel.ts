import * as z from 'zod/mini';

/** No parcel is larger, in bytes; what is larger than that belongs into a file of its own. */
export const maxParcelBytes = 64 * 1024 * 1024;

/** Stands on the worker link for a frame that is too large for it: its JSON is a file of that name in the link's folder. */
export const parcelSchema = z.object({
  type: z.literal('parcel'),
  /** Of the file's content, lower-case hex; also the file's name. */
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  bytes: z.int().check(z.positive(), z.lte(maxParcelBytes)),
});
export type Parcel = z.infer<typeof parcelSchema>;
