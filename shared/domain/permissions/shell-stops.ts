import { type CommandPattern, matchesText, mayMatchWords } from './command-pattern.ts';
import { isRunningVariable } from './environment-names.ts';
import { withoutGlobalOptions } from './global-options.ts';
import { innerScript } from './inner-scripts.ts';
import { isInterpreter } from './launchers.ts';
import { riskyReason, riskyWords } from './risky-options.ts';
import type { ShellFacts, ShellPart, ShellWord } from './shell-facts.ts';
import { mayBeOption } from './unknown-words.ts';
import { commandsWithin, programName } from './wrappers.ts';

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

function possibly({ words, source, assignments }: ShellPart, pattern: CommandPattern): string | null {
  const shown = shorten(source);
  const setting = assignments.find(({ name }) => isRunningVariable(name));
  if (setting !== undefined) return `Setting ${setting.name} may run something else.`;
  for (const { words: inner } of commandsWithin(words)) {
    if (innerScript(inner)?.kind === 'unknown')
      return `The script that "${shown}" hands to a shell is known only when it runs.`;
    if (inner[0]?.kind !== 'literal' && inner.length === words.length && words.length > 0)
      return `Which program "${shown}" runs is known only when it runs.`;
    if (evaluatesSubscript(inner)) return `"${shown}" evaluates a subscript, which may run anything.`;
    if (spellings(inner).some((spelling) => mayMatchWords(pattern, spelling)))
      return `"${shown}" may be what the rule means.`;
    if (mayStart(inner, programOf(pattern))) return `"${shown}" may start what the rule means.`;
  }
  return null;
}

/** Builtins take `list[$(command)]` as the name of a variable and run the command. */
function evaluatesSubscript([first, ...rest]: readonly ShellWord[]): boolean {
  return first !== undefined && naming.has(first.text) && rest.some(({ text }) => /\[[^\]]*[$`]/.test(text));
}

const naming = new Set(
  'printf test [ unset read wait declare typeset local export readonly getopts let mapfile readarray'.split(
    ' ',
  ),
);

/** The program that a rule begins with; empty when a star stands there. */
function programOf(pattern: CommandPattern): string {
  const text = pattern.kind === 'exact' ? pattern.text : (pattern.pieces[0] ?? '');
  return programName(/^\S*/.exec(text)?.[0] ?? '');
}

/** True when words of a command that runs others name the program, or may do so. */
function mayStart(words: readonly ShellWord[], program: string): boolean {
  const [first, ...rest] = words;
  if (first?.kind !== 'literal') return false;
  if (riskyWords(words).some((text) => text.includes(program))) return true;
  const name = programName(first.text);
  if (name === 'git' && gitSettings(rest).some((text) => text.includes(program))) return true;
  const unknown = rest.filter((word) => word.kind !== 'literal' && mayBeOption(word));
  if (startsByOption.has(name))
    return unknown.some(({ kind, text }) => kind === 'dynamic' || text.includes(program));
  if (!isInterpreter(name) && !(name === 'sed' && riskyReason(words, 0) !== null)) return false;
  if (rest.some(({ text }) => /^-[A-Za-z]*[cer]$/.test(text)) && rest.some(({ kind }) => kind === 'dynamic'))
    return true;
  return rest.some(({ text }) => namesProgram(text, program));
}

/** Values of `-c` before the word that says what git is to do: they name pagers, aliases, transports. */
function gitSettings(words: readonly ShellWord[]): readonly string[] {
  return words.flatMap(({ text }, index) => (text === '-c' ? [words[index + 1]?.text ?? ''] : []));
}

/** Programs that have an option which runs what it is given. */
const startsByOption = new Set([
  ...['find', 'fd', 'fdfind', 'tar', 'bsdtar', 'gtar', 'cpio', 'rsync', 'scp', 'sort', 'split', 'zip'],
]);

function namesProgram(text: string, program: string): boolean {
  if (program === '') return true;
  const at = text.indexOf(program);
  if (at === -1) return false;
  const around = [text[at - 1] ?? ' ', text[at + program.length] ?? ' '];
  return (
    around.every((character) => !/[A-Za-z0-9_]/.test(character)) || namesProgram(text.slice(at + 1), program)
  );
}

const longestSource = 80;

function shorten(text: string): string {
  return text.length <= longestSource ? text : `${text.slice(0, longestSource)}...`;
}
