import { matchesGlob } from 'node:path';

/** Which of the names (by their number) match a glob; takes any time for a pattern that is made for it. */
export function matchingNames(names: readonly string[], pattern: string): number[] {
  return [...names.keys()].filter((at) => matchesGlob(names[at] ?? '', pattern));
}
