import type { Log } from '../../../shared/base/ports.ts';
import type { Ledgers } from './ledgers.ts';
import type { Life } from './life.ts';

/** Refusals that a correct daemon gives when worlds collide. */
const expectedCodes = new Set(['stale', 'closed', 'disk_full', 'not_found']);

/** Reads the daemon's log: what no correct daemon writes is an alarm. While the disk is full much goes wrong rightly. */
export class Alarms {
  readonly #ledgers: Ledgers;
  readonly #diskFull: () => boolean;
  #wasFull = false;

  constructor(ledgers: Ledgers, diskFull: () => boolean) {
    this.#ledgers = ledgers;
    this.#diskFull = diskFull;
  }

  log(life: Life): Log {
    const note =
      (level: string) =>
      (fields: Record<string, unknown>, message: string): void => {
        if (this.#diskFull()) this.#wasFull = true;
        if (life.alive && !this.#expected(level, fields, message))
          this.#ledgers.alarms.push(`${level}: ${message} ${JSON.stringify(fields)}`);
      };
    return { debug: () => undefined, info: () => undefined, warn: note('warn'), error: note('error') };
  }

  #expected(level: string, fields: Record<string, unknown>, message: string): boolean {
    if (level === 'warn') return message !== 'worker verb refused' || expectedCodes.has(String(fields.code));
    if (message === 'session could not be run' && String(fields.error).includes('the host has no'))
      return true;
    if (!this.#wasFull) return false;
    return /full/i.test(`${message} ${JSON.stringify(fields)}`);
  }
}
