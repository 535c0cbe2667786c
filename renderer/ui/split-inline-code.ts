/** A piece of a line: words as they stand, or what stood between backticks. */
export interface InlinePiece {
  readonly kind: 'words' | 'code';
  readonly text: string;
}

/** As many backticks as opened it close it, on the same line; the two ends must not be part of a longer run. */
const inlineCode = /(?<!`)(`+)(?!`)([^\n]*?[^`\n])\1(?!`)/g;

/** Splits words at `code`; backticks without a partner stay as they are. Only the backticks of code are lost. */
export function splitInlineCode(text: string): InlinePiece[] {
  const pieces: InlinePiece[] = [];
  let end = 0;
  for (const match of text.matchAll(inlineCode)) {
    if (match.index > end) pieces.push({ kind: 'words', text: text.slice(end, match.index) });
    pieces.push({ kind: 'code', text: unpadded(match[2] ?? '') });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ kind: 'words', text: text.slice(end) });
  return pieces;
}

/** One space on both sides is there to keep backticks of the code from those around it. */
function unpadded(code: string): string {
  return /^ .*[^ ].* $/.test(code) ? code.slice(1, -1) : code;
}
