import { assertNever } from '../../../shared/base/assert-never.ts';
import { hint } from '../output/own-name.ts';
import { padWidth } from '../output/text-width.ts';
import { wrapLine } from '../output/wrap.ts';
import type { CommandGroup, CommandSpec, OptionSpec, PositionalSpec } from './command-spec.ts';

const groups: readonly CommandGroup[] = ['Talk', 'Decide', 'Sessions', 'Kairos itself'];

const exitCodes = 'Exit codes: 0 done, 1 failed, 2 usage, 3 no daemon, 4 timed out, 5 refused.';

/** Below this many columns beside the names, what they mean stands under them. */
const narrowest = 30;

/** Who reads the help: what they type to call the program, and how wide their terminal is. */
export interface Reader {
  readonly program: string;
  /** Undefined where nothing limits a line. */
  readonly columns: number | undefined;
}

type Row = readonly [name: string, meaning: string];

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
    case 'list':
      return `--${option.name} ${option.value} ...`;
    default:
      return assertNever(option, 'option');
  }
}

function widest(rows: readonly Row[]): number {
  return Math.max(0, ...rows.map(([name]) => name.length));
}

/** Names with their meanings beside them, or below them in a narrow terminal. */
function lines(rows: readonly Row[], columns: number | undefined, width = widest(rows)): string[] {
  const beside = width + 4;
  if (columns !== undefined && columns - beside < narrowest && rows.some(([, meaning]) => meaning !== ''))
    return rows.flatMap(([name, meaning]) => [
      wrapLine(`  ${name}`, columns, 4),
      ...(meaning === '' ? [] : [wrapLine(`    ${meaning}`, columns, 4)]),
    ]);
  return rows.map(([name, meaning]) =>
    wrapLine(`  ${padWidth(name, width)}  ${meaning}`.trimEnd(), columns, beside),
  );
}

/** A command with its positionals, as the overall help lists it. */
function nameOf(command: CommandSpec): string {
  return [command.path, ...command.positionals.map(positionalText)].join(' ');
}

/** `kairos --help`: every command in one line, grouped. */
function overallHelp(table: readonly CommandSpec[], { program, columns }: Reader): string {
  const shown = table.filter(({ summary }) => summary !== 'the same');
  const rowsOf = (group?: CommandGroup): Row[] =>
    shown
      .filter((command) => group === undefined || command.group === group)
      .map((command) => [nameOf(command), command.summary]);
  const width = widest(rowsOf());
  const sections = groups.flatMap((group) => ['', group, ...lines(rowsOf(group), columns, width)]);
  const plain = (text: string): string => wrapLine(text, columns);
  const text = [
    'Kairos, an always-on AI colleague.',
    '',
    plain(`Usage: ${program} COMMAND [options]     ${program} COMMAND --help`),
    ...sections,
    '',
    plain('Every command takes --json. State is in KAIROS_HOME (default ~/.kairos).'),
    plain(exitCodes),
  ];
  return `${text.join('\n')}\n`;
}

function valueOf({ summary, choices }: PositionalSpec): string {
  const one = choices === undefined ? undefined : `one of: ${choices.join(', ')}`;
  return [summary, one].filter((part) => part !== undefined).join('; ');
}

function commandHelp(command: CommandSpec, { program, columns }: Reader): string {
  const options: readonly OptionSpec[] = [
    ...command.options,
    { name: 'json', kind: 'flag', summary: 'print JSON' },
  ];
  const values = command.positionals
    .map((positional): Row => [positional.name, valueOf(positional)])
    .filter(([, meaning]) => meaning !== '');
  const optionRows = options.map((option): Row => [optionText(option), option.summary]);
  const width = widest([...values, ...optionRows]);
  const plain = (text: string): string => wrapLine(text, columns);
  const text = [
    plain(`${program} ${command.path}: ${command.summary}`),
    '',
    wrapLine(`Usage: ${program} ${nameOf(command)} [options]`, columns, 2),
    '',
    ...lines([...values, ...optionRows], columns, width),
    ...(command.notes === undefined ? [] : ['', ...command.notes.map((note) => plain(hint(program, note)))]),
  ];
  return `${text.join('\n')}\n`;
}

/** Help on a command, on a family ("daemon"), or undefined when nothing is called so. */
export function helpOn(topic: string, table: readonly CommandSpec[], reader: Reader): string | undefined {
  if (topic === '') return overallHelp(table, reader);
  const command = table.find(({ path }) => path === topic);
  const family = table.filter(({ path, summary }) => path.startsWith(`${topic} `) && summary !== 'the same');
  const own = command === undefined ? '' : commandHelp(command, reader);
  if (family.length === 0) return own === '' ? undefined : own;
  const rows = family.map((member): Row => [`${reader.program} ${nameOf(member)}`, member.summary]);
  return `${own}${own === '' ? '' : '\n'}${lines(rows, reader.columns).join('\n')}\n`;
}
