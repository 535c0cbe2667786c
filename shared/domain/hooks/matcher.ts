/** Names alone, `Edit|Write`: compared as they are. Anything else is a regular expression that has to match somewhere in the name. */
const namesOnly = /^[A-Za-z0-9_]+(?:\s*\|\s*[A-Za-z0-9_]+)*$/;

/** True when a matcher is understood; one that is not matches everything. */
export function isReadableMatcher(matcher: string): boolean {
  return compile(matcher) !== null;
}

/** True when the matcher (null, empty or `*`: any) speaks about `name`; one that is no regular expression speaks about all. */
export function matchesName(matcher: string | null, name: string): boolean {
  if (matcher === null) return true;
  return compile(matcher)?.(name) ?? true;
}

function compile(matcher: string): ((name: string) => boolean) | null {
  const wanted = matcher.trim();
  if (wanted === '' || wanted === '*') return () => true;
  if (namesOnly.test(wanted)) {
    const names = wanted.split('|').map((name) => name.trim());
    return (name) => names.includes(name);
  }
  try {
    const pattern = new RegExp(wanted);
    return (name) => pattern.test(name);
  } catch {
    // Not a regular expression; the reader of the settings says so.
    return null;
  }
}
