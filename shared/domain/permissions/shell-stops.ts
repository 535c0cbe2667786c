import { type CommandPattern, matchesText, mayMatchWords } from './command-pattern.ts';
import { withoutGlobalOptions } from './global-options.ts';
import type { ShellFacts, ShellPart, ShellWord } from './shell-facts.ts';
import { commandsWithin, innerScript, programName } from './wrappers.ts';

/** True when a rule that denies or asks surely speaks about this command: as text, or about any command in it. */
export function certainMatch(subject: string, shell: ShellFacts, pattern: CommandPattern): boolean {
  if (matchesText(pattern, subject.trim())) return true;
  if (shell.kind === 'unparsed') return false;
  return shell.parts.some((part) => matchesText(pattern, part.source) || runsSurely(part, pattern));
}

function runsSurely({ words }: ShellPart, pattern: CommandPattern): boolean {
  return commandsWithin(words)
    .filter(({ sure }) => sure)
    .flatMap(({ words: inner }) => spellings(inner))
    .some((spelling) => matchesText(pattern, surelyBegins(spelling)));
}

/** The words up to the first whose value is not known; what follows it is left to `mayMatchWords`. */
function surelyBegins(words: readonly ShellWord[]): string {
  const unknown = words.findIndex(({ kind }) => kind !== 'literal');
  return (unknown === -1 ? words : words.slice(0, unknown)).map(({ text }) => text).join(' ');
}

/** Ways to write the same command: by the program's bare name, without options before the word that says what to do. */
function spellings(words: readonly ShellWord[]): (readonly ShellWord[])[] {
  const first = words[0];
  if (first?.kind !== 'literal') return [words];
  const bare = [{ ...first, text: programName(first.text) }, ...words.slice(1)];
  return [words, bare, withoutGlobalOptions(bare)];
}

/** Why a rule that denies or asks may be meant by something that is known only when it runs; null: it cannot. */
export function possibleMatch(
  shell: ShellFacts,
  pattern: CommandPattern,
): { readonly reason: string } | null {
  if (shell.kind === 'unparsed') return { reason: `What it consists of is not known: ${shell.reason}` };
  if (shell.odd[0] !== undefined) return { reason: `It contains ${shell.odd[0]}, which may run anything.` };
  for (const part of shell.parts) {
    const reason = possibly(part, pattern);
    if (reason !== null) return { reason };
  }
  return null;
}

function possibly({ words, source, redirects }: ShellPart, pattern: CommandPattern): string | null {
  for (const { words: inner } of commandsWithin(words)) {
    const first = inner[0];
    const script = innerScript(inner);
    const fed = redirects.some(({ access, target }) => access === 'read' || target === null);
    if (script?.kind === 'unknown' && (fed || inner.length > 1 || words.length > inner.length))
      return `The script that "${shorten(source)}" hands to a shell is known only when it runs.`;
    if (first === undefined) continue;
    if (first.kind !== 'literal' && inner.length === words.length)
      return `Which program "${shorten(source)}" runs is known only when it runs.`;
    if (spellings(inner).some((spelling) => mayMatchWords(pattern, spelling)))
      return `"${shorten(source)}" may be what the rule means.`;
  }
  return null;
}

const longestSource = 80;

function shorten(text: string): string {
  return text.length <= longestSource ? text : `${text.slice(0, longestSource)}...`;
}
