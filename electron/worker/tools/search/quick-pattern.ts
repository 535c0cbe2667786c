const mostStars = 3;
const mostBraces = 3;
const mostCommas = 30;

/**
 * True for a glob that is matched in a moment whatever the names are: Node makes a regular expression of it that tries every way
 * to share a name out among its stars and groups, and a pattern of its own of every way to choose from its braces.
 */
export function isQuickPattern(pattern: string): boolean {
  // Groups such as +(a|aa), ranges such as {1..100000000}.
  if (/[(]|\.\.[^/]/.test(pattern)) return false;
  const braces = count(pattern, /\{/g);
  if (braces > mostBraces || count(pattern, /,/g) > mostCommas) return false;
  const names = braces > 0 ? [pattern.replaceAll('**/', '')] : pattern.split('/');
  return names.every((name) => name === '**' || count(name, /\*+/g) <= mostStars);
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
