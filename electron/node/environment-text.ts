/** An environment as plain text values. */
export type Environment = Readonly<Record<string, string>>;

/** Drops the unset members of an environment such as `process.env`. */
export function definedVariables(env: Readonly<Record<string, string | undefined>>): Environment {
  const defined = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(defined);
}

/** What the asking shell adds about itself. */
const ownOfTheShell = new Set(['_', 'SHLVL', 'PWD', 'OLDPWD']);

/**
 * Reads what a login shell printed: `<marker>NAME=value\0...<marker>`, with any noise before and after. Undefined while a
 * marker is missing or when what stands between is not NUL-separated; the shell's own variables are left out. The last marker
 * is the end: dash hands on what it printed before as the variable `_`, so the marker can stand in a value too.
 */
export function parseShellOutput(output: string, marker: string): Environment | undefined {
  const start = output.indexOf(marker);
  const end = output.lastIndexOf(marker);
  if (start < 0 || end <= start) return undefined;
  const block = output.slice(start + marker.length, end);
  if (!block.endsWith('\0')) return undefined;
  const entries = block
    .slice(0, -1)
    .split('\0')
    .map((entry): [string, string] => {
      const equals = entry.indexOf('=');
      return [entry.slice(0, equals), entry.slice(equals + 1)];
    })
    .filter(([name]) => name !== '' && !ownOfTheShell.has(name));
  return Object.fromEntries(entries);
}
