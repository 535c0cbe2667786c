import fc from 'fast-check';

/** A piece of a shell script. */
export type Piece = fc.Arbitrary<string>;

/** One of the texts, the first being the simplest. */
export function among(...texts: readonly string[]): Piece {
  return fc.constantFrom(...texts);
}

/** One of the pieces by weight; shrinks towards the first. */
export function choose(...pieces: ReadonlyArray<readonly [number, Piece]>): Piece {
  return fc.oneof({ withCrossShrink: true }, ...pieces.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

/** Texts and pieces one after the other. */
export function join(...parts: ReadonlyArray<string | Piece>): Piece {
  const pieces = parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part));
  return fc.tuple(...pieces).map((texts) => texts.join(''));
}

/** Some of a piece with something between; shrinks to fewer. */
export function many(piece: Piece, minLength: number, maxLength: number, between = ' '): Piece {
  return fc.array(piece, { minLength, maxLength }).map((texts) => texts.join(between));
}

/** In about one of `rarity` cases what the piece is, else nothing. */
export function sometimes(piece: Piece, rarity: number): Piece {
  return choose([rarity - 1, fc.constant('')], [1, piece]);
}
