import * as z from 'zod/mini';

/** `GET search`, newest first; `at` in wall ms, `text` what stands around the words. */
export const searchHitsSchema = z.array(
  z.object({ session: z.string(), seq: z.number(), at: z.number(), text: z.string() }),
);
/** One message that was found. */
export type SearchHit = z.infer<typeof searchHitsSchema>[number];

/** Where a value of the settings comes from. */
export const settingSourceSchema = z.enum(['default', 'settings', 'managed']);
/** `GET settings`: what the settings of the start say now. */
export const settingsAnswerSchema = z.object({
  file: z.string(),
  managedFile: z.nullable(z.string()),
  entries: z.array(
    z.object({
      /** `section.member`. */
      name: z.string(),
      /** As JSON; secrets are masked. */
      value: z.string(),
      source: settingSourceSchema,
      /** The file says so, Kairos that runs still goes by another value. */
      later: z.boolean(),
    }),
  ),
  /** What could not be taken, one sentence each. */
  notices: z.array(z.string()),
});
export type SettingsAnswer = z.infer<typeof settingsAnswerSchema>;

/** `POST sessions/:session/files`: a file as the session's tools find it. */
export const takenFileSchema = z.object({
  path: z.string(),
  hash: z.string(),
  name: z.string(),
  bytes: z.number(),
});
export type TakenFile = z.infer<typeof takenFileSchema>;
