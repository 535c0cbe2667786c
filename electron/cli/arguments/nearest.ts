/** Edits (insert, delete, replace, swap of neighbours) between two short words. */
function distance(left: string, right: string): number {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= left.length; row += 1) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      line.push(
        Math.min(
          at(row - 1, column) + 1,
          (line[column - 1] ?? 0) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          swapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(left.length, right.length);
}

/** The candidate that a mistyped word most likely meant, or undefined when none is close (a third of its letters, at least 1). */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  // A word of any length can be typed; comparing it whole would take its square.
  const typed = word.slice(0, 40).toLowerCase();
  const allowed = Math.max(1, Math.floor(typed.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(typed, candidate) }))
    .sort((left, right) => left.edits - right.edits);
  const [best] = ranked;
  if (best !== undefined && best.edits <= allowed) return best.candidate;
  return typed.length < 3 ? undefined : candidates.find((candidate) => candidate.startsWith(typed));
}
