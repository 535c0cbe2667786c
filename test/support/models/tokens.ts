const charactersPerToken = 4;
const imageCharacters = 1600 * charactersPerToken;

/** Tokens of so many characters: about four each. */
export function tokensOf(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

function withoutImageBytes(key: string, value: unknown): unknown {
  const image = typeof value === 'string' && (key === 'data' || value.startsWith('data:image/'));
  return image ? 'x'.repeat(imageCharacters) : value;
}

/** Characters that a part of a prompt counts as; an image counts as 1,600 tokens whatever its size. */
export function weightOf(part: unknown): number {
  return (JSON.stringify(part, withoutImageBytes) ?? '').length;
}
