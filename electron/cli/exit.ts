/** Exit codes of every command; part of the contract, shown in `kairos --help`. */
export const exit = {
  done: 0,
  failed: 1,
  usage: 2,
  noDaemon: 3,
  timedOut: 4,
  refused: 5,
  /** The person left with Ctrl+C; the agent goes on. */
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof exit)[keyof typeof exit];
