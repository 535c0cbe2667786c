import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject } from '../../../shared/base/json.ts';
import { errorCode } from '../../../shared/base/errors.ts';
import { whatInsteadOfFile } from '../../node/regular-file.ts';

/** One line of a log with the time it was written at (wall ms, 0 when it does not say). */
export interface LogLine {
  readonly source: string;
  readonly at: number;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

/** A log file that is read on from where it was left. */
export interface LogReader {
  /** The complete lines that were added since; a file that was rotated is read from its beginning. */
  readNew(): LogLine[];
}

/** More than any number of lines that a person reads, per file. */
const longestTail = 4 * 1024 * 1024;

function timeOf(fields: Readonly<Record<string, unknown>>): number {
  const { time } = fields;
  if (typeof time === 'number') return time;
  const parsed = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(parsed) ? 0 : parsed;
}

function parseLine(source: string, text: string): LogLine {
  try {
    const fields: unknown = JSON.parse(text);
    if (isObject(fields)) return { source, at: timeOf(fields), text, fields };
  } catch {
    // Not every line is JSON: what a crash prints is not.
  }
  return { source, at: 0, text, fields: undefined };
}

function readAt(path: string, state: { inode: number; offset: number; rest: string }): string {
  if (whatInsteadOfFile(path) !== undefined) return '';
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
  try {
    const { ino, size } = fstatSync(descriptor);
    if (ino !== state.inode || size < state.offset) Object.assign(state, { inode: ino, offset: 0, rest: '' });
    const from = Math.max(state.offset, size - longestTail);
    const buffer = Buffer.alloc(size - from);
    state.offset = from + readSync(descriptor, buffer, 0, buffer.length, from);
    return buffer.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Opens one log of `<folder>/<name>.log`. */
export function logReader(path: string): LogReader {
  const source = basename(path, '.log');
  const state = { inode: 0, offset: 0, rest: '' };
  return {
    readNew() {
      const added = readAt(path, state);
      const lines = `${state.rest}${added}`.split('\n');
      state.rest = lines.pop() ?? '';
      return lines.filter((line) => line !== '').map((line) => parseLine(source, line));
    },
  };
}

/** The logs that exist in a folder now, sorted by name. */
export function logFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Lines of several files in the order of their times; a line without a time stays behind the one above it. */
export function inOrder(files: readonly (readonly LogLine[])[]): LogLine[] {
  const dated = files.flatMap((lines) => {
    let last = 0;
    return lines.map((line) => {
      last = line.at === 0 ? last : line.at;
      return { ...line, at: last };
    });
  });
  return dated.sort((left, right) => left.at - right.at);
}
