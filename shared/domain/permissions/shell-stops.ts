import {
  type CommandPattern,
  isOpenEnded,
  matchesText,
  mayMatchWords,
  withoutBlanks,
} from './command-pattern.ts';
import { isRunningVariable } from './environment-names.ts';
import { withoutGlobalOptions } from './global-options.ts';
import { innerScript } from './inner-scripts.ts';
import { isInterpreter } from './launchers.ts';
import { riskyReason, riskyWords } from './risky-options.ts';
import type { ShellFacts, ShellPart, ShellWord } from './shell-facts.ts';
import { mayBeOption } from './unknown-words.ts';
import { commandsWithin, programName } from './wrappers.ts';

/** One way to write a command. `known`: its words up to the first whose value is not known; `whole`: that is all of them. */
interface Spelling {
  readonly words: readonly ShellWord[];
  readonly known: string;
  readonly whole: boolean;
}

/** A command that runs or may run, wherever it stands. */
interface SeenCommand {
  readonly words: readonly ShellWord[];
  readonly sure: boolean;
  readonly spellings: readonly Spelling[];
  /** The part it belongs to, for people. */
  readonly shown: string;
  /** Why it may be anything; null: it is what its words say. */
  readonly open: string | null;
}

/** All that rules which deny or ask are held against, found once for all of them. */
export interface SeenCommands {
  readonly texts: readonly string[];
  readonly commands: readonly SeenCommand[];
  /** Why anything may run; null: what runs is known. */
  readonly open: string | null;
}

/** Looks for every command of a text, through wrappers and scripts. */
export function commandsSeen(subject: string, shell: ShellFacts): SeenCommands {
  const text = withoutBlanks(subject);
  if (shell.kind === 'unparsed')
    return { texts: [text], commands: [], open: `What it consists of is not known: ${shell.reason}` };
  const odd = shell.odd[0];
  const strange = odd === undefined ? null : `It contains ${odd}, which may run anything.`;
  const commands = shell.parts.flatMap(seenIn);
  const open = strange ?? commands.find((command) => command.open !== null)?.open ?? null;
  return { texts: [text, ...shell.parts.map(({ source }) => source)], commands, open };
}

function seenIn({ words, source, assignments }: ShellPart): SeenCommand[] {
  const shown = shorten(source);
  const setting = assignments.find(({ name }) => isRunningVariable(name));
  const { commands, complete } = commandsWithin(words);
  const open =
    setting !== undefined
      ? `Setting ${setting.name} may run something else.`
      : complete
        ? null
        : `"${shown}" starts more commands than can be looked at.`;
  if (commands.length === 0 && open !== null) return [{ words, sure: true, spellings: [], shown, open }];
  return commands.map(({ words: inner, sure }, index) => ({
    words: inner,
    sure,
    spellings: spellings(inner),
    shown,
    open: openReason(inner, index === 0, shown) ?? open,
  }));
}

/** `first`: it is the part's own command. */
function openReason(words: readonly ShellWord[], first: boolean, shown: string): string | null {
  if (innerScript(words)?.kind === 'unknown')
    return `The script that "${shown}" hands to a shell is known only when it runs.`;
  if (first && words[0]?.kind !== 'literal')
    return `Which program "${shown}" runs is known only when it runs.`;
  return evaluatesSubscript(words) ? `"${shown}" evaluates a subscript, which may run anything.` : null;
}

/** Ways to write the same command: by the program's bare name, without options before the word that says what to do. */
function spellings(words: readonly ShellWord[]): Spelling[] {
  const first = words[0];
  if (first?.kind !== 'literal') return [spelled(words)];
  const bare = [{ ...first, text: programName(first.text) }, ...words.slice(1)];
  const short = withoutGlobalOptions(bare);
  return [words, ...(bare[0]?.text === first.text ? [] : [bare]), ...(short === bare ? [] : [short])].map(
    spelled,
  );
}

function spelled(words: readonly ShellWord[]): Spelling {
  const unknown = words.findIndex(({ kind }) => kind !== 'literal');
  const known = unknown === -1 ? words : words.slice(0, unknown);
  return { words, known: known.map(({ text }) => text).join(' '), whole: unknown === -1 };
}

/** True when a rule that denies or asks surely speaks about this command: as text, or about any command in it. */
export function certainMatch({ texts, commands }: SeenCommands, pattern: CommandPattern): boolean {
  if (texts.some((text) => matchesText(pattern, text))) return true;
  const open = isOpenEnded(pattern);
  return commands.some(
    ({ sure, spellings: ways }) =>
      sure && ways.some(({ known, whole }) => (whole || open) && matchesText(pattern, known)),
  );
}

/** Why a rule that denies or asks may be meant by something that is known only when it runs; null: it cannot. */
export function possibleMatch(
  { commands, open }: SeenCommands,
  pattern: CommandPattern,
): { readonly reason: string } | null {
  if (open !== null) return { reason: open };
  const program = programOf(pattern);
  for (const { words, spellings: ways, shown } of commands) {
    if (ways.some((way) => mayMeet(way, pattern)))
      return { reason: `"${shown}" may be what the rule means.` };
    if (mayStart(words, program)) return { reason: `"${shown}" may start what the rule means.` };
  }
  return null;
}

function mayMeet({ words, known, whole }: Spelling, pattern: CommandPattern): boolean {
  return whole ? matchesText(pattern, known) : mayMatchWords(pattern, words);
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
const startsByOption = new Set('find fd fdfind tar bsdtar gtar cpio rsync scp sort split zip'.split(' '));

/** True when the program's name stands in a text as a word of its own. */
function namesProgram(text: string, program: string): boolean {
  if (program === '') return true;
  for (let at = text.indexOf(program); at !== -1; at = text.indexOf(program, at + 1)) {
    const around = [text[at - 1] ?? ' ', text[at + program.length] ?? ' '];
    if (around.every((character) => !/[A-Za-z0-9_]/.test(character))) return true;
  }
  return false;
}

const longestSource = 80;

function shorten(text: string): string {
  return text.length <= longestSource ? text : `${text.slice(0, longestSource)}...`;
}
