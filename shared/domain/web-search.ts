import * as z from 'zod/mini';

/** A page that a search named; `snippet` may be empty. Text of strangers. */
export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** What is looked for, and on which hosts (with those below them): an empty list does not limit. */
export interface SearchQuery {
  readonly query: string;
  readonly allowedDomains: readonly string[];
  readonly blockedDomains: readonly string[];
}

/** Where a worker's searches go. `native`: by the provider's own means; null: where the provider is known to have them. */
export const webSearchSchema = z.object({
  native: z.nullable(z.boolean()),
  endpoint: z.nullable(
    z.object({
      /** With `{query}`. */
      url: z.string(),
      key: z.nullable(z.string()),
      /** Header that carries the key; null: `authorization: Bearer <key>`. */
      keyHeader: z.nullable(z.string()),
      shape: z.enum(['searxng', 'brave']),
    }),
  ),
});
export type WebSearch = z.infer<typeof webSearchSchema>;
/** A search server that the owner named. */
export type SearchServer = NonNullable<WebSearch['endpoint']>;
