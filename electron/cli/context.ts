import type { Clock, Ids } from '../../shared/base/ports.ts';
import type { Home } from '../node/home.ts';

/** A place to print to. `write` resolves when the other side has room; after the reader is gone it drops everything. */
export interface TextOutput {
  write(text: string): Promise<void>;
  readonly isTerminal: boolean;
  /** Columns of the terminal; undefined where nothing limits a line. */
  readonly columns: number | undefined;
  /** True once the reader has closed its end. */
  readonly closed: boolean;
}

/** Signals a person or the system ends a command with. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Everything a command gets from outside; tests hand in their own. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly home: Home;
  /** What to type where the person stands to call this program: `kairos`, `npx kairos` ... (`output/own-name.ts`). */
  readonly program: string;
  /** The folder that holds `supervisor.js` and `build.json`. */
  readonly programs: string;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Calls `listener` on each signal until cancelled; without a listener a signal ends the process. */
  onSignal(listener: (signal: EndSignal) => void): () => void;
  /** The version of this program. */
  version(): string;
}
