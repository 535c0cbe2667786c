/** A program with its arguments instead of a shell's. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** A command made ready to run shut in. */
export interface Entered extends Command {
  readonly env: Readonly<Record<string, string>>;
  /** Open descriptor that the child needs as number 3, and closes with it; null: it is started as any other and ended with its group. */
  readonly filter: number | null;
  /** Call it when the command has ended or could not be started; clauses for the model about what was kept out. */
  leave(): Promise<readonly string[]>;
}
