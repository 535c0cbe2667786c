const prefix = 'hook:';

/** Digest of a note with what hooks of this event added, to the message of that ref. */
export function hookNote(event: string, ref: string | null): string {
  return `${prefix}${event}${ref === null ? '' : `:${ref}`}`;
}

/** True for the digest of such a note. */
export function isHookNote(digest: string): boolean {
  return digest.startsWith(prefix);
}
