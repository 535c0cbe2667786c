import type { Readable } from 'node:stream';
import { KairosError } from '../../../shared/base/errors.ts';
// PLACEHOLDER by the lead, uncommitted, so that the daemon bundles today: the store helper replaces this whole file
// (expected API: createReaderClient({entry, home, clock, log}) -> {exportSession(id): Promise<Readable>, search(query, limit)}).
export function createReaderClient(_options: unknown): {
  exportSession(session: string): Promise<Readable>;
  search(
    query: string,
    limit: number,
  ): Promise<readonly { session: string; seq: number; at: number; text: string }[]>;
} {
  const no = (): Promise<never> => Promise.reject(new KairosError('internal', 'reader not written yet'));
  return { exportSession: no, search: no };
}
