import { parseArgs } from 'node:util';
import { usageFailure } from '../failure.ts';
import { checkOption, checkPositionals, checkValue, everywhere } from './checks.ts';
import type { Arguments, CommandSpec } from './command-spec.ts';
import { shortened, unknownCommand } from './mistakes.ts';

/** What a command line asks for. */
export type Request =
  | { readonly kind: 'run'; readonly command: CommandSpec; readonly args: Arguments }
  /** `topic` is a command, the first word of several, or '' for everything. */
  | { readonly kind: 'help'; readonly topic: string }
  | { readonly kind: 'version'; readonly json: boolean };

/** Options that may stand before the command. */
const leading = ['--json', '--help', '-h', '--version', '-v'];

function splitLeading(argv: readonly string[]): { flags: string[]; rest: string[] } {
  const end = argv.findIndex((word) => !leading.includes(word));
  const count = end < 0 ? argv.length : end;
  return { flags: argv.slice(0, count), rest: argv.slice(count) };
}

function wantsHelp(words: readonly string[]): boolean {
  return words.includes('--help') || words.includes('-h');
}

function findCommand(words: readonly string[], table: readonly CommandSpec[]) {
  const [first = '', second = ''] = words;
  const two = table.find(({ path }) => path === `${first} ${second}`);
  if (two !== undefined) return { command: two, rest: words.slice(2) };
  const one = table.find(({ path }) => path === first);
  return one === undefined ? undefined : { command: one, rest: words.slice(1) };
}

function tokensOf(command: CommandSpec, words: readonly string[]) {
  const options: Record<string, { type: 'boolean' | 'string'; short?: string }> = {};
  for (const { name, kind } of [...command.options, ...everywhere]) {
    options[name] = { type: kind === 'flag' ? 'boolean' : 'string' };
  }
  options.help = { type: 'boolean', short: 'h' };
  // Its own strict mode tells mistakes in its own words and one at a time; checks.ts is as strict in ours.
  return parseArgs({ args: [...words], options, strict: false, tokens: true, allowPositionals: true }).tokens;
}

type Values = ReadonlyMap<string, readonly string[]>;

/** Of an option that is given twice the last value counts, unless it is a list. */
function toArguments(values: Values, positionals: readonly string[]): Arguments {
  return {
    flag: (name) => values.has(name),
    text: (name) => values.get(name)?.at(-1),
    list: (name) => values.get(name) ?? [],
    number(name) {
      const value = values.get(name)?.at(-1);
      return value === undefined ? undefined : Number(value);
    },
    positional: (index) => positionals[index],
    required: (index) => positionals[index] ?? '',
  };
}

function parseCommand(
  command: CommandSpec,
  words: readonly string[],
  flags: readonly string[],
  table: readonly CommandSpec[],
): Request {
  const values = new Map<string, readonly string[]>(flags.includes('--json') ? [['json', ['']]] : []);
  const tokens = tokensOf(command, words);
  const helped = tokens.some((token) => token.kind === 'option' && token.name === 'help');
  if (helped || wantsHelp(flags)) return { kind: 'help', topic: command.path };
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const spec = checkOption(command, token);
    checkValue(spec, token.value ?? '');
    values.set(spec.name, [...(values.get(spec.name) ?? []), token.value ?? '']);
  }
  checkPositionals(command, positionals, table);
  return { kind: 'run', command, args: toArguments(values, positionals) };
}

/** Reads a command line strictly against the table. Throws CommandFailure (exit 2) with the nearest suggestion. */
export function parseCommandLine(argv: readonly string[], table: readonly CommandSpec[]): Request {
  const { flags, rest } = splitLeading(argv);
  const [first] = rest;
  if (flags.includes('--version') || flags.includes('-v')) {
    return { kind: 'version', json: flags.includes('--json') };
  }
  if (first === undefined) return { kind: 'help', topic: '' };
  if (first === 'help') return { kind: 'help', topic: rest.slice(1).join(' ') };
  if (first.startsWith('-')) {
    const next = 'Put options behind the command. See: kairos --help';
    throw usageFailure(`There is no option ${shortened(first)}.`, next);
  }
  const found = findCommand(rest, table);
  if (found !== undefined) return parseCommand(found.command, found.rest, flags, table);
  const family = table.some(({ path }) => path.startsWith(`${first} `));
  if (family && wantsHelp([...flags, ...rest.slice(1, 2)])) return { kind: 'help', topic: first };
  throw unknownCommand(rest, table);
}
