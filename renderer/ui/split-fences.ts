/** A piece of a text: words as they stand, or a block between ``` fences with its language where one is named. */
export type TextPiece =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly language: string };

const fence = /^ {0,3}```+\s*([^`\s]*)[^`]*$/;

/** Splits at lines that begin with ```; a fence that is never closed holds to the end. Nothing is lost but the fences. */
export function splitFences(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let lines: string[] = [];
  let language: string | null = null;
  const close = (): void => {
    const joined = lines.join('\n');
    if (language !== null) pieces.push({ kind: 'code', text: joined, language });
    else if (joined.trim() !== '') pieces.push({ kind: 'words', text: joined.replace(/^\n+|\n+$/g, '') });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const match = fence.exec(line);
    if (match === null) {
      lines.push(line);
      continue;
    }
    close();
    language = language === null ? (match[1] ?? '') : null;
  }
  if (lines.length > 0 || language !== null) close();
  return pieces;
}
