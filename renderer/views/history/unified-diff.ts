import { createTwoFilesPatch } from 'diff';

/** A unified diff of two texts under one name, with three lines around each change. */
export function unifiedDiff(name: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(name, name, before, after, undefined, undefined, { context: 3 });
  return patch.slice(patch.indexOf('--- '));
}
