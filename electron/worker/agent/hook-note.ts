const prefix = 'hook:';

/** Digest of a note with what hooks of this event added. */
export function hookNote(event: string): string {
  return `${prefix}${event}`;
}

/** True for the digest of such a note. */
export function isHookNote(digest: string): boolean {
  return digest.startsWith(prefix);
}
