/** The supervisor ends its life with `kairos: <reason>`; anything else on stderr is a crash of its own. */
export function reasonIn(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const told = lines.findLast((line) => line.startsWith('kairos: '));
  if (told !== undefined) return told.slice('kairos: '.length);
  const crash = lines.findLast((line) => /^\S*Error\b/.test(line)) ?? lines.at(-1);
  return crash ?? 'the supervisor ended without saying why';
}
