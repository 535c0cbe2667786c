/** The supervisor ends its life with `kairos: <reason>`; anything else on stderr is a crash of its own. */
function reasonIn(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const told = lines.findLast((line) => line.startsWith('kairos: '));
  if (told !== undefined) return told.slice('kairos: '.length);
  const crash = lines.findLast((line) => /^\S*Error\b/.test(line)) ?? lines.at(-1);
  return crash ?? 'the supervisor ended without saying why';
}

/** Signals that ask a supervisor to stop; before it listens to them they end it. */
const stopSignals: readonly (NodeJS.Signals | null)[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];

/** How a supervisor ended: why, or an empty reason when somebody stopped it. */
export function endOf(
  code: number | null,
  signal: NodeJS.Signals | null,
  output: () => string,
): { readonly code: number | null; readonly reason: string } {
  const stopped = code === 0 || stopSignals.includes(signal);
  return { code, reason: stopped ? '' : reasonIn(output()) };
}
