import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import { splitReason } from '../../../shared/protocol/safe-mode.ts';
import { errorCode } from '../../../shared/base/errors.ts';

/** Where a person stands and what they can reach from there. */
export interface Standing {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute and real. */
  readonly cwd: string;
  /** Absolute, real path of `build/bin/kairos.mjs` of this copy. */
  readonly entry: string;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(errorCode(error))) return undefined;
    throw error;
  }
}

/** npm puts folders of its own on the PATH of what it starts; they are not on the person's. */
function isNpms(folder: string): boolean {
  return folder.endsWith(join('node_modules', '.bin')) || folder.endsWith('node-gyp-bin');
}

function isOnPath({ env, entry }: Standing): boolean {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter);
  const own = folders.filter((folder) => folder !== '' && !isNpms(folder));
  // On Windows npm link makes a script instead of a link.
  if (process.platform === 'win32') return own.some((folder) => existsSync(join(folder, 'kairos.cmd')));
  const first = own.map((folder) => realPath(join(folder, 'kairos'))).find((found) => found !== undefined);
  return first === entry;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !/^[A-Za-z]:/.test(way));
}

/** A path as it can be typed: in quotes where it holds anything that a shell may take for something else. */
export function typed(path: string): string {
  return /^[\w./:\\@+-]+$/.test(path) ? path : `"${path}"`;
}

/**
 * What to type where the person stands to call this copy of Kairos: `kairos` when that is this copy (linked, installed),
 * `npx kairos` inside its checkout, else `node <path>`.
 */
export function ownName(standing: Standing): string {
  const { cwd, entry } = standing;
  // An installed copy without its checkout is reached by its name only.
  if (!existsSync(entry) || isOnPath(standing)) return 'kairos';
  if (isInside(cwd, dirname(dirname(dirname(entry))))) return 'npx kairos';
  return `node ${typed(entry)}`;
}

/** Why something failed, with what to do as it has to be typed here; the first sentence may hold foreign words. */
export function reasonHere(reason: string, program: string): string {
  const { why, next } = splitReason(reason);
  return next === null ? reason : `${why} ${hint(program, next)}`;
}

/** One of our own hints with each `kairos <command>` as it has to be typed here. Never for text that others wrote. */
export function hint(program: string, text: string): string {
  return text.replace(/(?<![\w./-]|npx )kairos (?=[a-z]|--)/g, () => `${program} `);
}
