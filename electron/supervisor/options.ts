import { resolve } from 'node:path';
import { KairosError } from '../../shared/base/errors.ts';

/** What the supervisor was told on its command line. */
export interface SupervisorOptions {
  /** Stop in order when this descriptor ends: the owner of a tied supervisor holds its other end. */
  readonly tiedTo: number | undefined;
  /** Absolute path of the daemon's program. */
  readonly daemonEntry: string;
  /** How long the daemon may take to stop before it is killed, ms. */
  readonly stopGraceMs: number;
}

const usage = 'Use: supervisor [--tied-to=<fd>] [--daemon-entry=<path>] [--stop-grace-ms=<n>]';

function readNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new KairosError('supervisor-usage', `${name} needs a number, not "${text}".`, { next: usage });
}

/** Reads the arguments after the program's name; `defaultEntry` is the daemon beside this program. Throws KairosError. */
export function readOptions(args: readonly string[], defaultEntry: string): SupervisorOptions {
  let tiedTo: number | undefined;
  let daemonEntry = defaultEntry;
  let stopGraceMs = 10_000;
  for (const arg of args) {
    const equals = arg.indexOf('=');
    const [name, value] = equals < 0 ? [arg, ''] : [arg.slice(0, equals), arg.slice(equals + 1)];
    if (name === '--tied-to') tiedTo = readNumber(name, value);
    else if (name === '--daemon-entry' && value !== '') daemonEntry = resolve(value);
    else if (name === '--stop-grace-ms') stopGraceMs = readNumber(name, value);
    else throw new KairosError('supervisor-usage', `Unknown argument "${arg}".`, { next: usage });
  }
  return { tiedTo, daemonEntry, stopGraceMs };
}
