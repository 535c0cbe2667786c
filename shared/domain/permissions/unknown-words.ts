import type { ShellWord } from './shell-facts.ts';

/** False for a word that surely begins with something else than a dash, which is no option: `"fix: $x"`, `src/*.ts`. */
export function mayBeOption({ kind, text, single }: ShellWord): boolean {
  if (kind === 'pattern') return !/^[A-Za-z0-9_./]/.test(text) || text.includes('{');
  return single !== true || !/^"[A-Za-z0-9_./:@%,#[(]/.test(text);
}
