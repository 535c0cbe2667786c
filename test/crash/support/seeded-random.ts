/** Repeatable chance. */
export interface Random {
  /** A whole number from 0 to `limit` - 1; 0 for a limit of 0. */
  below(limit: number): number;
  between(least: number, most: number): number;
}

/** Mulberry32: small, fast, good enough to choose victims. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    below: (limit) => Math.floor(next() * limit),
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
  };
}
