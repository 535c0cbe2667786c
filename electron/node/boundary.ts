import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Boundary } from '../../shared/domain/boundaries.ts';

/** Set by the bundler for crash tests only; everywhere else the calls below vanish from the program. */
declare const __CRASH_POINTS__: boolean | undefined;

/** Which kind of process this is, for crash points that are meant for one kind only. */
export type BoundaryRole = 'daemon' | 'worker' | 'supervisor';

let role: BoundaryRole | undefined;
const passed = new Map<string, number>();

/** Says once, at the start of a program, which kind of process it is. */
export function setBoundaryRole(own: BoundaryRole): void {
  role = own;
}

/** At the end of a wish: not once, but in every process, as long as the folder has the file `crash-always`. */
const always = ':always';

/** Leaves a line in the file that says whether processes shall die again and again. */
function noteCrash(path: string): boolean {
  try {
    const file = openSync(path, constants.O_WRONLY | constants.O_APPEND);
    writeSync(file, `${process.pid}\n`);
    closeSync(file);
    return true;
  } catch {
    // There is no such file: nobody shall die now.
    return false;
  }
}

/** The restarted process must not die at the same place: only who creates the marker file may crash. */
function claimCrash(wish: string): boolean {
  const folder = process.env.KAIROS_CRASH_DIR ?? process.env.KAIROS_HOME;
  if (folder === undefined) return false;
  if (wish.endsWith(always)) return noteCrash(join(folder, 'crash-always'));
  const name = `crash-${wish.replaceAll(':', '-')}.done`;
  try {
    closeSync(openSync(join(folder, name), 'wx'));
    return true;
  } catch {
    // The marker exists: this crash has happened.
    return false;
  }
}

function pass(name: Boundary, side: 'before' | 'after'): void {
  const wish = process.env.KAIROS_CRASH;
  if (wish === undefined) return;
  const key = `${role}:${name}:${side}`;
  const count = (passed.get(key) ?? 0) + 1;
  passed.set(key, count);
  const isHere = wish === `${key}:${count}` || wish === `${key}:${count}${always}`;
  if (isHere && claimCrash(wish)) process.kill(process.pid, 'SIGKILL');
}

/**
 * A point at which the process may die. With KAIROS_CRASH=`<role>:<name>:<side>:<nth>` a build for crash tests kills itself
 * with SIGKILL at the nth passing, once per KAIROS_CRASH_DIR (else KAIROS_HOME); with `:always` after the number in every
 * process while that folder has the file `crash-always`, which gets a line for each death. Any other build does nothing.
 */
export function boundary(name: Boundary, side: 'before' | 'after'): void {
  if (typeof __CRASH_POINTS__ !== 'undefined' && __CRASH_POINTS__ === true) pass(name, side);
}
