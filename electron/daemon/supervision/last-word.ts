/** A reason that people read holds at most so many characters. */
const longest = 300;

/**
 * The line of a dead process's stderr that says why: the last that names an error, else the last that is not empty. Node prints
 * the error itself above its stack and a closing line with its own version.
 */
export function lastWord(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return (lines.findLast((line) => /Error\b.*:/.test(line)) ?? lines.at(-1) ?? '').trim().slice(0, longest);
}
