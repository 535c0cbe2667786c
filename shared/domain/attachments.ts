import * as z from 'zod/mini';

/** A file that goes with a message: a stored blob under the name it had. */
export const attachmentSchema = z.object({
  hash: z.string(),
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** A file that was to go with a message and could not; `reason` follows its path: `a.png does not exist`. */
export const lostAttachmentSchema = z.object({ path: z.string(), reason: z.string() });
export type LostAttachment = z.infer<typeof lostAttachmentSchema>;

/** A file as the worker found it: `path` as the model gave it, `real` where that leads. */
export const foundAttachmentSchema = z.object({ path: z.string(), real: z.string(), file: attachmentSchema });
export type FoundAttachment = z.infer<typeof foundAttachmentSchema>;

/** Behaviour 5: files of one message, and bytes of one file. */
export const attachmentLimits = { count: 10, bytes: 30 * 1024 * 1024 } as const;
