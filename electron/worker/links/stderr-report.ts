import { writeSync } from 'node:fs';

/** Where a worker says what went wrong: one line of JSON on stderr, which the daemon puts into its log. Never secrets. */
export type Report = (fields: { readonly event: string } & Readonly<Record<string, unknown>>) => void;

/** Writes at once, so that the last words of a process that ends are not lost. */
export const stderrReport: Report = (fields) => {
  try {
    writeSync(2, `${JSON.stringify({ from: 'worker', pid: process.pid, ...fields })}\n`);
  } catch {
    // Nobody reads stderr any more: there is no other place to say it.
  }
};
