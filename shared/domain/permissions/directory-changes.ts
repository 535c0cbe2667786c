import type { ShellFacts, ShellPart, ShellWord } from './shell-facts.ts';
import { commandsWithin } from './wrappers.ts';

const changing = new Set(['cd', 'pushd', 'popd', 'source', '.', 'shopt', 'set', 'alias', 'enable', 'trap']);

/** The parts of a command that may change the directory that later ones run in; odd constructs are not among them. */
export function directoryChanges(parts: readonly ShellPart[]): readonly ShellPart[] {
  return parts.filter(({ words }) => {
    const { commands, complete } = commandsWithin(words);
    return !complete || commands.some(({ words: [first] }) => first !== undefined && mayChange(first));
  });
}

function mayChange({ kind, text }: ShellWord): boolean {
  return kind !== 'literal' || changing.has(text);
}

/** True when a relative path surely starts from the directory that the command was started in. */
export function staysInDirectory(shell: ShellFacts): boolean {
  return shell.kind === 'parsed' && shell.odd.length === 0 && directoryChanges(shell.parts).length === 0;
}
