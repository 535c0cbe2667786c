/** Seeded randomness (xorshift128): the same seed gives the same numbers on every machine. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number, stream = '') {
    this.#a = (seed ^ 0x9e3779b9) >>> 0;
    this.#b = (Math.floor(seed / 2 ** 32) ^ 0x243f6a88) >>> 0;
    this.#c = 0xb7e15162;
    this.#d = 0x85a308d3;
    for (const char of stream) this.#c = Math.imul(this.#c ^ char.charCodeAt(0), 0x01000193) >>> 0;
    for (let warm = 0; warm < 16; warm += 1) this.bits();
  }

  /** 32 random bits. */
  bits(): number {
    let next = this.#d;
    const kept = this.#a;
    this.#d = this.#c;
    this.#c = this.#b;
    this.#b = kept;
    next = (next ^ (next << 11)) >>> 0;
    next = (next ^ (next >>> 8)) >>> 0;
    this.#a = (next ^ kept ^ (kept >>> 19)) >>> 0;
    return this.#a;
  }

  /** An integer in [0, below). */
  below(below: number): number {
    return below <= 1 ? 0 : Math.floor((this.bits() / 2 ** 32) * below);
  }

  /** An integer in [from, to]. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  chance(probability: number): boolean {
    return this.bits() / 2 ** 32 < probability;
  }

  /** One of a list that is not empty. */
  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  /** One of several by weight. */
  weighted<Item>(items: readonly (readonly [number, Item])[]): Item {
    let point = (this.bits() / 2 ** 32) * items.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, item] of items) {
      point -= weight;
      if (point < 0) return item;
    }
    return (items.at(-1) as readonly [number, Item])[1];
  }
}
