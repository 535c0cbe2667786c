import type { ShellWord } from './shell-facts.ts';
import { type Risky, riskyTable } from './risky-table.ts';
import { mayBeOption } from './unknown-words.ts';
import { programName } from './wrappers.ts';

/**
 * Why no rule with a star covers this use of a program; null: none of its words runs or writes more than its name tells. `named`:
 * words that the rule spells out.
 */
export function riskyReason(words: readonly ShellWord[], named: number): string | null {
  const name = programName(words[0]?.text ?? '');
  const entries = entriesFor(name, words);
  if (entries.length === 0) return null;
  if (name === 'sed' && named < words.length) return sedReason(words, named);
  for (const [index, word] of words.entries()) {
    if (index === 0 || index < named) continue;
    if (word.kind !== 'literal' && mayBeOption(word) && !isValue(word, words[index - 1], name))
      return `a word of ${name} that is known only when it runs may be an option that runs other programs (${shortText(word.text)})`;
    const found = entries.some((entry) => isRisky(word.text, entry, index));
    if (found) return `"${shortText(word.text)}" may make ${name} run another program or write elsewhere`;
  }
  return null;
}

function entriesFor(name: string, words: readonly ShellWord[]): readonly Risky[] {
  const entries = Object.hasOwn(riskyTable, name) ? (riskyTable[name] ?? []) : [];
  const sub = words.find(({ text }, index) => index > 0 && !text.startsWith('-'))?.text;
  return entries.filter(({ only }) => only === undefined || only === sub);
}

/** The words of a command that may make it run what they name, each with the one behind it. */
export function riskyWords(words: readonly ShellWord[]): readonly string[] {
  const entries = entriesFor(programName(words[0]?.text ?? ''), words);
  return words.flatMap(({ text }, index) =>
    index > 0 && entries.some((entry) => isRisky(text, entry, index))
      ? [`${text} ${words[index + 1]?.text ?? ''}`]
      : [],
  );
}

const longestShown = 60;

function shortText(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}...`;
}

function isRisky(
  text: string,
  { long = '', short = '', words = '', bundled, sign }: Risky,
  index: number,
): boolean {
  if (sign !== undefined && text.includes(sign)) return true;
  if (words !== '' && words.split(' ').some((word) => text.toLowerCase().startsWith(word.toLowerCase())))
    return true;
  if (text.startsWith('--')) return text !== '--' && long !== '' && abbreviates(text, long.split(' '));
  const letters = text.startsWith('-') ? text.slice(1) : bundled === true && index === 1 ? text : '';
  return short !== '' && [...letters].some((letter) => short.includes(letter));
}

/** `--upload-p=x` is `--upload-pack=x`; what is longer than the name is another option, except with `-` behind it. */
function abbreviates(text: string, names: readonly string[]): boolean {
  const given = text.slice(2).split('=')[0] ?? '';
  return given !== '' && names.some((name) => name.startsWith(given));
}

/** Options of git and others whose next word is surely their value. */
const valued: Readonly<Record<string, readonly string[]>> = {
  git: [
    '-m',
    '--message',
    '-F',
    '--file',
    '--author',
    '--date',
    '-S',
    '-G',
    '--grep',
    '--format',
    '--since',
    '--until',
  ],
};

function isValue(word: ShellWord, before: ShellWord | undefined, name: string): boolean {
  if (word.single !== true || before?.kind !== 'literal') return false;
  return Object.hasOwn(valued, name) && (valued[name]?.includes(before.text) ?? false);
}

/** sed: only scripts that print or replace, without the flags and commands that run (`e`), read or write (`r`, `w`). */
function sedReason(words: readonly ShellWord[], named: number): string | null {
  const reason =
    'sed can run commands and write files; only plain printing and replacing is covered by a rule with a star';
  const rest = words.slice(1);
  if (
    rest.some(
      ({ kind, text }) =>
        kind === 'literal' && text.startsWith('-') && !/^-[nErsuz]+$/.test(text) && text !== '--',
    )
  )
    return reason;
  const script = rest.findIndex(({ kind, text }) => kind !== 'literal' || !text.startsWith('-'));
  const word = rest[script];
  if (script === -1 || word === undefined) return null;
  if (script + 1 < named) return null;
  if (word.kind !== 'literal' || !plainSed.test(word.text)) return reason;
  const others = rest.slice(script + 1);
  return others.every((other) => other.kind === 'literal' || !mayBeOption(other)) ? null : reason;
}

const plainSed =
  /^(?:(?:\d+|\$|\/[^/\\\n;{}]*\/)(?:,(?:\d+|\$|\/[^/\\\n;{}]*\/))?)?(?:[pdq=]|s\/(?:[^/\\\n]|\\[^\n])*\/(?:[^/\\\n]|\\[^\n])*\/[gpiI0-9]*)$/;
