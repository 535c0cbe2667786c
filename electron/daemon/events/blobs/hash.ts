import { createHash } from 'node:crypto';

/** Lower-case hex SHA-256 of UTF-8 text or bytes. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
