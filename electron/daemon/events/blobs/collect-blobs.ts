import type { BlobStore } from './blob-store.ts';

/** Deletes blobs that were last written before `before` (wall ms) and that nothing needs; the number deleted. */
export async function collectBlobs(
  blobs: BlobStore,
  before: number,
  needed: (hash: string) => boolean,
): Promise<number> {
  let deleted = 0;
  for (const { hash, at } of await blobs.list()) {
    if (at < before && blobs.remove(hash, before, () => needed(hash))) deleted += 1;
  }
  return deleted;
}
