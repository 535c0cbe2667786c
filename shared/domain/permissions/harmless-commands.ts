import type { ShellPart, ShellWord } from './shell-facts.ts';

/** Builtins that touch nothing; beside a command that has a rule they need none. `dir`: real path of the session's directory. */
export function isHarmlessCommand({ words, goesTo }: ShellPart, dir: string): boolean {
  const [first, ...rest] = words;
  if (first?.kind !== 'literal') return false;
  switch (first.text) {
    case 'true':
    case 'false':
    case ':':
    case 'pwd':
      return rest.every(isLiteral);
    case 'break':
    case 'continue':
    case 'exit':
      return rest.every(({ kind, text }) => kind === 'literal' && /^\d{1,3}$/.test(text));
    case 'echo':
      return true;
    // Passes on what it is given, a here-document as a rule.
    case 'cat':
      return rest.length === 0;
    case 'printf':
      return isLiteral(rest[0]) && !(rest[0]?.text ?? '').startsWith('-');
    case 'test':
    case '[':
      return rest.every((word) => isLiteral(word) && word.text !== '-v' && word.text !== '-R');
    case 'command':
      return rest[0]?.kind === 'literal' && /^-[vV]$/.test(rest[0].text) && rest.slice(1).every(isLiteral);
    case 'cd':
      return goesTo !== undefined && (goesTo === dir || goesTo.startsWith(`${dir}/`));
    default:
      return false;
  }
}

function isLiteral(word: ShellWord | undefined): boolean {
  return word?.kind === 'literal';
}
