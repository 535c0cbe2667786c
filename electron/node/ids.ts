import { randomBytes } from 'node:crypto';
import type { Clock, Ids } from '../../shared/base/ports.ts';

/** Crockford's alphabet: sorts like its values, without letters that are mistaken for digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeChars = 10;
const randomBits = 80n;
const randomChars = 16;

function encode(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = (alphabet[Number(rest & 31n)] ?? '0') + text;
    rest >>= 5n;
  }
  return text;
}

/**
 * Ids of the form `<prefix>_<26 characters>` (ULID: 48 bits of wall ms, 80 bits of randomness). Within one process each is
 * greater than the one before, also when two are made in one ms or the wall clock steps back.
 */
export function createSystemIds(clock: Pick<Clock, 'now'>): Ids {
  let lastMs = 0;
  let lastRandom = 0n;
  const fresh = (): bigint => BigInt(`0x${randomBytes(Number(randomBits) / 8).toString('hex')}`);
  return {
    next(prefix) {
      const nowMs = Math.floor(clock.now());
      const advanced = nowMs > lastMs;
      lastRandom = advanced ? fresh() : lastRandom + 1n;
      lastMs = advanced ? nowMs : lastMs;
      if (lastRandom >> randomBits !== 0n) {
        lastMs += 1;
        lastRandom = fresh();
      }
      return `${prefix}_${encode(BigInt(lastMs), timeChars)}${encode(lastRandom, randomChars)}`;
    },
    random: (bytes) => randomBytes(bytes).toString('hex'),
  };
}
