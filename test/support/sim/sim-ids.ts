import type { Ids } from '../../../shared/base/ports.ts';
import type { Random } from './random.ts';

/** Ids that count up over all restarts, and random bytes from the seed. */
export function createSimIds(random: Random): Ids {
  let last = 0;
  return {
    next: (prefix) => `${prefix}_${String((last += 1)).padStart(8, '0')}`,
    random: (bytes) => {
      let hex = '';
      while (hex.length < bytes * 2) hex += random.bits().toString(16).padStart(8, '0');
      return hex.slice(0, bytes * 2);
    },
  };
}
