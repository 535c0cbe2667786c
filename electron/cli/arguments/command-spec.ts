import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit.ts';

/** One option of a command. `value` is its placeholder in the help; a flag has none. */
export type OptionSpec =
  | { readonly name: string; readonly kind: 'flag'; readonly summary: string }
  | { readonly name: string; readonly kind: 'text'; readonly value: string; readonly summary: string }
  /** A text that may be given several times. */
  | { readonly name: string; readonly kind: 'list'; readonly value: string; readonly summary: string }
  /** A number above 0, fractions allowed. */
  | { readonly name: string; readonly kind: 'number'; readonly value: string; readonly summary: string }
  | {
      readonly name: string;
      readonly kind: 'choice';
      readonly choices: readonly string[];
      readonly summary: string;
    };

/** An argument without a name, as the help shows it (`CODE`). */
export interface PositionalSpec {
  readonly name: string;
  readonly required: boolean;
  readonly choices?: readonly string[];
  /** What it can be, for the command's own help. */
  readonly summary?: string;
}

/** What the parser made of a valid command line. */
export interface Arguments {
  flag(name: string): boolean;
  text(name: string): string | undefined;
  /** Every value of an option that may be given several times, in order. */
  list(name: string): readonly string[];
  number(name: string): number | undefined;
  positional(index: number): string | undefined;
  /** A positional that the command's table calls required. */
  required(index: number): string;
}

/** What a command's file exports. */
export type RunCommand = (context: CliContext, args: Arguments) => Promise<ExitCode>;

/** Headings of the overall help, in order. */
export type CommandGroup = 'Talk' | 'Decide' | 'Sessions' | 'Kairos itself';

/** One row of the command table; its code is loaded only when it runs. */
export interface CommandSpec {
  /** One or two words. */
  readonly path: string;
  readonly group: CommandGroup;
  readonly summary: string;
  readonly positionals: readonly PositionalSpec[];
  readonly options: readonly OptionSpec[];
  /** Lines below the options in the command's own help. */
  readonly notes?: readonly string[];
  load(): Promise<{ readonly run: RunCommand }>;
}
