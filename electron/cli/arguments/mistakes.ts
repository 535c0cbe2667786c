import { type CommandFailure, usageFailure } from '../failure.ts';
import type { CommandSpec } from './command-spec.ts';
import { nearest } from './nearest.ts';

/** What was typed, short enough to be repeated in a sentence. */
export function shortened(word: string): string {
  return word.length <= 40 ? word : `${word.slice(0, 39)}…`;
}

/** `Did you mean "<before><nearest>"?`, or undefined when nothing is near. */
export function didYouMean(word: string, candidates: readonly string[], before = ''): string | undefined {
  const found = nearest(word, candidates);
  return found === undefined ? undefined : `Did you mean "${before}${found}"?`;
}

/** Where the help on a command is. */
export function seeHelp(command: CommandSpec): string {
  return `See: kairos ${command.path} --help`;
}

/** The failure for words that name no command: the nearest one, or the members of the family they begin with. */
export function unknownCommand(words: readonly string[], table: readonly CommandSpec[]): CommandFailure {
  const [first = '', second] = words;
  const members = table
    .filter(({ path }) => path.startsWith(`${first} `))
    .map(({ path }) => path.slice(first.length + 1));
  if (members.length === 0) {
    const names = [...new Set(table.map(({ path }) => path.split(' ')[0] ?? path))];
    const next = didYouMean(first, names, 'kairos ') ?? 'See: kairos --help';
    return usageFailure(`There is no command "${shortened(first)}".`, next);
  }
  const all = `One of: ${members.join(', ')}`;
  if (second === undefined) return usageFailure(`"${first}" needs to know what to do.`, all);
  const next = didYouMean(second, members, `kairos ${first} `) ?? all;
  return usageFailure(`There is no command "${first} ${shortened(second)}".`, next);
}
