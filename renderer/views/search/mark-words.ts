/** A piece of a found text, and whether it is one of the words that were looked for. */
export interface MarkedPiece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Splits a text at the words that were looked for, in any case; nothing of it is lost. */
export function markWords(text: string, words: string): MarkedPiece[] {
  const wanted = words.split(/[\s"]+/).filter((word) => word !== '');
  if (wanted.length === 0) return [{ text, isMarked: false }];
  const escaped = wanted
    .toSorted((left, right) => right.length - left.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text
    .split(new RegExp(`(${escaped.join('|')})`, 'giu'))
    .map((piece, index) => ({ text: piece, isMarked: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}
