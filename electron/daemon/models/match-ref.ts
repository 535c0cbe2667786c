/** True when the ref is the pattern, `*` standing for any run of characters. */
export function matchesRef(pattern: string, ref: string): boolean {
  if (!pattern.includes('*')) return pattern === ref;
  const pieces = pattern.split('*').map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('.*')}$`, 'u').test(ref);
}

/** The most exact of the keys that fit: the ref itself, else the longest pattern; undefined when none fits. */
export function bestKey(keys: readonly string[], ref: string): string | undefined {
  if (keys.includes(ref)) return ref;
  return keys
    .filter((key) => matchesRef(key, ref))
    .sort((left, right) => right.length - left.length)
    .at(0);
}
