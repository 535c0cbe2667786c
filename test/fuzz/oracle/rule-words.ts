/** A rule for commands, read from its text by means of its own: nothing of the product has a say here. */
export interface CommandRule {
  readonly text: string;
  readonly matches: (argv: readonly string[]) => boolean;
}

/** What a rule set says about commands and files, taken from its texts; `Bash` alone stands for every command. */
export interface SaidRules {
  readonly commands: readonly CommandRule[];
  /** Folders, below the session directory, in which files may be written. */
  readonly writable: readonly string[];
}

/** Understands the forms that the rule sets of the fuzz use: `Bash`, `Bash(words:*)`, `Bash(words *)`, `Bash(a * b)`, `Bash(words)`, `Edit(./folder/**)`. */
export function saidBy(texts: readonly string[]): SaidRules {
  const commands: CommandRule[] = [];
  const writable: string[] = [];
  for (const text of texts) {
    const folder = /^Edit\(\.\/(.+)\/\*\*\)$/.exec(text)?.[1];
    if (folder !== undefined) writable.push(folder);
    else commands.push({ text, matches: matcher(text) });
  }
  return { commands, writable };
}

function matcher(text: string): CommandRule['matches'] {
  if (text === 'Bash') return () => true;
  const spec = /^Bash\((.*)\)$/s.exec(text)?.[1];
  if (spec === undefined) throw new Error(`The oracle does not know the rule ${text}.`);
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(spec)?.[1];
  if (prefix !== undefined && !prefix.includes('*')) {
    const words = prefix.split(' ');
    return (argv) => words.every((word, at) => argv[at] === word);
  }
  const pieces = (prefix ?? spec).split('*').map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${pieces.join('.*')}${prefix === undefined ? '' : '( .*)?'}$`, 's');
  return (argv) => pattern.test(argv.join(' '));
}
