import { assertNever } from '../../../shared/base/assert-never.ts';
import { padWidth } from '../output/text-width.ts';
import type { CommandGroup, CommandSpec, OptionSpec, PositionalSpec } from './command-spec.ts';

const groups: readonly CommandGroup[] = ['Talk', 'Decide', 'Sessions', 'Kairos itself'];

const exitCodes = 'Exit codes: 0 done, 1 failed, 2 usage, 3 no daemon, 4 timed out, 5 refused.';

function positionalText({ name, required }: PositionalSpec): string {
  return required ? name : `[${name}]`;
}

function optionText(option: OptionSpec): string {
  switch (option.kind) {
    case 'flag':
      return `--${option.name}`;
    case 'choice':
      return `--${option.name} ${option.choices.join('|')}`;
    case 'text':
    case 'number':
      return `--${option.name} ${option.value}`;
    default:
      return assertNever(option, 'option');
  }
}

function lines(rows: readonly (readonly [string, string])[], indent: string): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${indent}${padWidth(left, width)}  ${right}`.trimEnd());
}

/** A command with its positionals, as the overall help lists it. */
function nameOf(command: CommandSpec): string {
  return [command.path, ...command.positionals.map(positionalText)].join(' ');
}

/** `kairos --help`: every command in one line, grouped. */
function overallHelp(table: readonly CommandSpec[]): string {
  const shown = table.filter(({ summary }) => summary !== 'the same');
  const width = Math.max(...shown.map((command) => nameOf(command).length));
  const sections = groups.flatMap((group) => [
    '',
    group,
    ...shown
      .filter((command) => command.group === group)
      .map((command) => `  ${padWidth(nameOf(command), width)}  ${command.summary}`),
  ]);
  const text = [
    'Kairos, an always-on AI colleague.',
    '',
    'Usage: kairos COMMAND [options]     kairos COMMAND --help',
    ...sections,
    '',
    'Every command takes --json. State is in KAIROS_HOME (default ~/.kairos).',
    exitCodes,
  ];
  return `${text.join('\n')}\n`;
}

function commandHelp(command: CommandSpec): string {
  const options: readonly OptionSpec[] = [
    ...command.options,
    { name: 'json', kind: 'flag', summary: 'print JSON' },
  ];
  const rows = options.map((option) => [optionText(option), option.summary] as const);
  const text = [
    `kairos ${command.path}: ${command.summary}`,
    '',
    `Usage: kairos ${nameOf(command)} [options]`,
    '',
    ...lines(rows, '  '),
    ...(command.notes === undefined ? [] : ['', ...command.notes]),
  ];
  return `${text.join('\n')}\n`;
}

/** Help on a command, on a family ("daemon"), or undefined when nothing is called so. */
export function helpOn(topic: string, table: readonly CommandSpec[]): string | undefined {
  if (topic === '') return overallHelp(table);
  const command = table.find(({ path }) => path === topic);
  const family = table.filter(({ path, summary }) => path.startsWith(`${topic} `) && summary !== 'the same');
  const own = command === undefined ? '' : commandHelp(command);
  if (family.length === 0) return own === '' ? undefined : own;
  const rows = family.map((member) => [`kairos ${nameOf(member)}`, member.summary] as const);
  return `${own}${own === '' ? '' : '\n'}${lines(rows, '  ').join('\n')}\n`;
}
