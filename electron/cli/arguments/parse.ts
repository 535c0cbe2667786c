import { parseArgs } from 'node:util';
import { usageFailure } from '../failure.ts';
import type { Arguments, CommandSpec, OptionSpec } from './command-spec.ts';
import { nearest } from './nearest.ts';

/** What a command line asks for. */
export type Request =
  | { readonly kind: 'run'; readonly command: CommandSpec; readonly args: Arguments; readonly json: boolean }
  /** `topic` is a command, the first word of several, or '' for everything. */
  | { readonly kind: 'help'; readonly topic: string }
  | { readonly kind: 'version'; readonly json: boolean };

const everywhere: readonly OptionSpec[] = [
  { name: 'json', kind: 'flag', summary: 'print JSON' },
  { name: 'help', kind: 'flag', summary: 'show this help' },
];

const leading = ['--json', '--help', '-h', '--version', '-v'];

function splitLeading(argv: readonly string[]): { flags: string[]; rest: string[] } {
  const end = argv.findIndex((word) => !leading.includes(word));
  const count = end < 0 ? argv.length : end;
  return { flags: argv.slice(0, count), rest: argv.slice(count) };
}

function hint(word: string, candidates: readonly string[]): string | undefined {
  const found = nearest(word, candidates);
  return found === undefined ? undefined : `Did you mean "${found}"?`;
}

function unknownCommand(words: readonly string[], table: readonly CommandSpec[]): Error {
  const [first = '', second] = words;
  const family = table.filter(({ path }) => path.startsWith(`${first} `));
  if (family.length === 0) {
    const names = [...new Set(table.map(({ path }) => path.split(' ')[0] ?? path))];
    const next = hint(first, names)?.replace(/"(.*)"/, '"kairos $1"');
    return usageFailure(`There is no command "${first}".`, next ?? 'See: kairos --help');
  }
  const names = family.map(({ path }) => path.slice(first.length + 1));
  if (second === undefined) {
    return usageFailure(`"${first}" needs to know what to do.`, `One of: ${names.join(', ')}`);
  }
  const next = hint(second, names)?.replace(/"(.*)"/, `"kairos ${first} $1"`);
  return usageFailure(`There is no command "${first} ${second}".`, next ?? `One of: ${names.join(', ')}`);
}

function findCommand(words: readonly string[], table: readonly CommandSpec[]) {
  const [first = '', second = ''] = words;
  const two = table.find(({ path }) => path === `${first} ${second}`);
  if (two !== undefined) return { command: two, rest: words.slice(2) };
  const one = table.find(({ path }) => path === first);
  if (one !== undefined) return { command: one, rest: words.slice(1) };
  return undefined;
}

function rawParse(command: CommandSpec, words: readonly string[]) {
  const options: Record<string, { type: 'boolean' | 'string'; short?: string }> = {};
  for (const { name, kind } of [...command.options, ...everywhere]) {
    options[name] = { type: kind === 'flag' ? 'boolean' : 'string' };
  }
  options['help'] = { type: 'boolean', short: 'h' };
  // Not strict here, so that each mistake can be told in our words; the checks below are as strict.
  return parseArgs({ args: [...words], options, strict: false, tokens: true, allowPositionals: true }).tokens;
}

type Tokens = ReturnType<typeof rawParse>;
type OptionToken = Extract<Tokens[number], { kind: 'option' }>;

function helpFor(command: CommandSpec): string {
  return `See: kairos ${command.path} --help`;
}

function checkOption(command: CommandSpec, token: OptionToken): OptionSpec {
  const known = [...command.options, ...everywhere];
  const spec = known.find(({ name }) => name === token.name);
  if (spec === undefined) {
    const next = hint(
      token.name,
      known.map(({ name }) => name),
    )?.replace('"', '"--');
    throw usageFailure(`"kairos ${command.path}" has no option ${token.rawName}.`, next ?? helpFor(command));
  }
  if (spec.kind === 'flag') {
    if (token.value === undefined) return spec;
    throw usageFailure(`--${spec.name} takes no value.`, helpFor(command));
  }
  if (token.value === undefined || (token.value === '' && token.inlineValue !== true)) {
    throw usageFailure(`--${spec.name} needs a value.`, helpFor(command));
  }
  const looksLikeOption = token.inlineValue !== true && /^-./.test(token.value);
  if (looksLikeOption && !(spec.kind === 'number' && /^-[\d.]/.test(token.value))) {
    const next = `When the value begins with "-", write: --${spec.name}=${token.value}`;
    throw usageFailure(`--${spec.name} needs a value.`, next);
  }
  return spec;
}

function checkValue(spec: OptionSpec, value: string): void {
  if (
    spec.kind === 'number' &&
    !(/^\d*\.?\d+$/.test(value) && Number(value) > 0 && Number.isFinite(Number(value)))
  ) {
    throw usageFailure(
      `--${spec.name} needs a number above 0, not "${value.slice(0, 40)}".`,
      `For example: --${spec.name} 30`,
    );
  }
  if (spec.kind === 'choice' && !spec.choices.includes(value)) {
    const next = hint(value, spec.choices) ?? `One of: ${spec.choices.join(', ')}`;
    throw usageFailure(`--${spec.name} cannot be "${value.slice(0, 40)}".`, next);
  }
  if (spec.kind === 'text' && value === '') {
    throw usageFailure(`--${spec.name} is empty.`, `Give it a value, or leave --${spec.name} out.`);
  }
}

function checkPositionals(
  command: CommandSpec,
  found: readonly string[],
  table: readonly CommandSpec[],
): void {
  const missing = command.positionals.find(({ required }, index) => required && found[index] === undefined);
  if (missing !== undefined) {
    throw usageFailure(`"kairos ${command.path}" needs ${missing.name}.`, helpFor(command));
  }
  const surplus = found[command.positionals.length];
  if (surplus !== undefined) {
    if (command.positionals.length === 0 && table.some(({ path }) => path.startsWith(`${command.path} `))) {
      throw unknownCommand([command.path, surplus], table);
    }
    const text = command.positionals.at(-1)?.name.includes('TEXT') === true;
    const next = text ? 'Put the text in quotes.' : helpFor(command);
    throw usageFailure(`"kairos ${command.path}" does not expect "${surplus.slice(0, 40)}".`, next);
  }
  command.positionals.forEach(({ name, choices }, index) => {
    const value = found[index];
    if (value === undefined || choices === undefined || choices.includes(value)) return;
    const next = hint(value, choices) ?? `One of: ${choices.join(', ')}`;
    throw usageFailure(`${name} cannot be "${value.slice(0, 40)}".`, next);
  });
}

function toArguments(values: ReadonlyMap<string, string>, positionals: readonly string[]): Arguments {
  return {
    flag: (name) => values.has(name),
    text: (name) => values.get(name),
    number(name) {
      const value = values.get(name);
      return value === undefined ? undefined : Number(value);
    },
    positional: (index) => positionals[index],
    required: (index) => positionals[index] ?? '',
  };
}

/** Reads a command line strictly against the table. Throws CommandFailure (exit 2) with the nearest suggestion. */
export function parseCommandLine(argv: readonly string[], table: readonly CommandSpec[]): Request {
  const { flags, rest } = splitLeading(argv);
  const [first] = rest;
  const wantsHelp = flags.some((flag) => flag === '--help' || flag === '-h');
  if (flags.includes('--version') || flags.includes('-v'))
    return { kind: 'version', json: flags.includes('--json') };
  if (first === undefined) return { kind: 'help', topic: '' };
  if (first === 'help') return { kind: 'help', topic: rest.slice(1).join(' ') };
  if (first.startsWith('-')) {
    throw usageFailure(
      `There is no option ${first.slice(0, 40)}.`,
      'Put options behind the command. See: kairos --help',
    );
  }
  const found = findCommand(rest, table);
  if (found === undefined) {
    const family = table.some(({ path }) => path.startsWith(`${first} `));
    if (family && (wantsHelp || ['--help', '-h'].includes(rest[1] ?? '')))
      return { kind: 'help', topic: first };
    throw unknownCommand(rest, table);
  }
  return parseCommand(found.command, [...found.rest], flags, table);
}

function parseCommand(
  command: CommandSpec,
  words: readonly string[],
  flags: readonly string[],
  table: readonly CommandSpec[],
): Request {
  const values = new Map<string, string>(flags.includes('--json') ? [['json', '']] : []);
  const tokens = rawParse(command, words);
  const helped = tokens.some((token) => token.kind === 'option' && token.name === 'help');
  if (helped || flags.includes('--help') || flags.includes('-h'))
    return { kind: 'help', topic: command.path };
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const spec = checkOption(command, token);
    checkValue(spec, token.value ?? '');
    values.set(spec.name, token.value ?? '');
  }
  checkPositionals(command, positionals, table);
  return { kind: 'run', command, args: toArguments(values, positionals), json: values.has('json') };
}
