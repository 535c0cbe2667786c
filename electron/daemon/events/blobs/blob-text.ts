/** A text column holds at most so many UTF-8 bytes; more goes to a blob. */
export const longestColumn = 64 * 1024;

const mark = '$blob:';

/** What stands in a column in place of a text that is a blob; no JSON text starts like it. */
export function blobReference(hash: string, bytes: number): string {
  return `${mark}${hash}:${bytes}`;
}

/** The hash when the column's text only refers to a blob, else null. */
export function referredBlob(text: string): string | null {
  return text.startsWith(mark) ? (text.slice(mark.length).split(':')[0] ?? null) : null;
}
