import { assertNever } from '../../../shared/base/assert-never.ts';
import { usageFailure } from '../failure.ts';
import type { CommandSpec, OptionSpec } from './command-spec.ts';
import { didYouMean, seeHelp, shortened, unknownCommand } from './mistakes.ts';

/** One option as `parseArgs` found it. */
export interface OptionToken {
  readonly name: string;
  /** With its dashes, as typed. */
  readonly rawName: string;
  readonly value?: string | undefined;
  /** True for `--name=value`. */
  readonly inlineValue?: boolean | undefined;
}

/** Options that every command takes. */
export const everywhere: readonly OptionSpec[] = [
  { name: 'json', kind: 'flag', summary: 'print JSON' },
  { name: 'help', kind: 'flag', summary: 'show this help' },
];

function takesText(command: CommandSpec): boolean {
  return command.positionals.some(({ name }) => name === 'TEXT');
}

function unknownOption(command: CommandSpec, token: OptionToken, known: readonly OptionSpec[]): Error {
  const near = didYouMean(
    token.name,
    known.map(({ name }) => name),
    '--',
  );
  const dashed = /^-[^-]/.test(token.rawName) && takesText(command);
  const other = dashed ? 'When the text begins with "-", put -- before it.' : seeHelp(command);
  return usageFailure(`"kairos ${command.path}" has no option ${shortened(token.rawName)}.`, near ?? other);
}

/** The row of the table that an option belongs to. Throws CommandFailure when there is none or its value is missing. */
export function checkOption(command: CommandSpec, token: OptionToken): OptionSpec {
  const known = [...command.options, ...everywhere];
  const spec = known.find(({ name }) => name === token.name);
  if (spec === undefined) throw unknownOption(command, token, known);
  const { value, inlineValue } = token;
  if (spec.kind === 'flag') {
    if (value === undefined) return spec;
    throw usageFailure(`--${spec.name} takes no value.`, seeHelp(command));
  }
  if (value === undefined) throw usageFailure(`--${spec.name} needs a value.`, seeHelp(command));
  const negative = spec.kind === 'number' && /^-[\d.]/.test(value);
  if (inlineValue !== true && /^-./.test(value) && !negative) {
    const next = `When the value begins with "-", write: --${spec.name}=${shortened(value)}`;
    throw usageFailure(`--${spec.name} needs a value.`, next);
  }
  return spec;
}

/** Throws CommandFailure when the value is not one that this option can have. */
export function checkValue(spec: OptionSpec, value: string): void {
  switch (spec.kind) {
    case 'flag':
      return;
    case 'text':
    case 'list':
      if (value !== '') return;
      throw usageFailure(`--${spec.name} is empty.`, `Give it a value, or leave --${spec.name} out.`);
    case 'number':
      if (/^(?:\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})$/.test(value) && Number(value) > 0) return;
      throw usageFailure(
        Number(value) > 0
          ? `--${spec.name} takes a number of at most 9 digits, written out, not "${shortened(value)}".`
          : `--${spec.name} needs a number above 0, not "${shortened(value)}".`,
        `For example: --${spec.name} 30`,
      );
    case 'choice':
      if (spec.choices.includes(value)) return;
      throw usageFailure(
        `--${spec.name} cannot be "${shortened(value)}".`,
        didYouMean(value, spec.choices) ?? `One of: ${spec.choices.join(', ')}`,
      );
    default:
      return assertNever(spec, 'option');
  }
}

function surplusFailure(command: CommandSpec, surplus: string, table: readonly CommandSpec[]): Error {
  if (command.positionals.length === 0 && table.some(({ path }) => path.startsWith(`${command.path} `))) {
    return unknownCommand([command.path, surplus], table);
  }
  const next = command.positionals.at(-1)?.name === 'TEXT' ? 'Put the text in quotes.' : seeHelp(command);
  return usageFailure(`"kairos ${command.path}" does not expect "${shortened(surplus)}".`, next);
}

/** Throws CommandFailure when positionals are missing, too many, or none of their choices. */
export function checkPositionals(
  command: CommandSpec,
  found: readonly string[],
  table: readonly CommandSpec[],
): void {
  const missing = command.positionals.find(({ required }, index) => required && found[index] === undefined);
  if (missing !== undefined) {
    throw usageFailure(`"kairos ${command.path}" needs ${missing.name}.`, seeHelp(command));
  }
  // For a text its command says what it could be.
  const empty = command.positionals.find(({ name }, index) => name !== 'TEXT' && found[index]?.trim() === '');
  if (empty !== undefined) {
    throw usageFailure(`"kairos ${command.path}" needs ${empty.name}, and it is empty.`, seeHelp(command));
  }
  const surplus = found[command.positionals.length];
  if (surplus !== undefined) throw surplusFailure(command, surplus, table);
  command.positionals.forEach(({ name, choices }, index) => {
    const value = found[index];
    if (value === undefined || choices === undefined || choices.includes(value)) return;
    const next = didYouMean(value, choices) ?? `One of: ${choices.join(', ')}`;
    throw usageFailure(`${name} cannot be "${shortened(value)}".`, next);
  });
}
