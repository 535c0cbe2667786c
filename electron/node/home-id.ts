import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';

/** Short id of an existing directory: the same for every path (and link) that leads to it. 12 hex digits. */
export function homeId(home: string): string {
  return createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 12);
}
