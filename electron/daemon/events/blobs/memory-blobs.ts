import type { Clock } from '../../../../shared/base/ports.ts';
import type { BlobStore } from './blob-store.ts';
import { sha256 } from './hash.ts';
import { openSource } from './source-file.ts';

/** Blobs of a disk in memory. */
export type BlobShelf = Map<string, { readonly bytes: Uint8Array; readonly at: number }>;

/** A blob store in memory. */
export function createMemoryBlobs(shelf: BlobShelf, clock: Pick<Clock, 'now'>): BlobStore {
  return {
    async put(bytes) {
      const hash = sha256(bytes);
      shelf.set(hash, { bytes: Uint8Array.from(bytes), at: clock.now() });
      return hash;
    },
    async putFile(path, mostBytes) {
      const file = await openSource(path, mostBytes);
      try {
        const chunks: Uint8Array[] = [];
        for await (const chunk of file.chunks()) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        const hash = sha256(bytes);
        shelf.set(hash, { bytes, at: clock.now() });
        return { hash, bytes: bytes.length };
      } finally {
        await file.close();
      }
    },
    get: async (hash) => shelf.get(hash)?.bytes ?? null,
    list: async () => [...shelf].map(([hash, { at }]) => ({ hash, at })),
    remove(hash, before, needed) {
      const blob = shelf.get(hash);
      if (!blob || blob.at >= before || needed()) return false;
      return shelf.delete(hash);
    },
  };
}
