// The package has no types, and not every compilation that imports this file lists ours.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./mvdan-sh.d.ts" />
import type shell from 'mvdan-sh';

/** The parser's functions. */
export type Syntax = (typeof shell)['syntax'];

let loading: Promise<Syntax> | null = null;

/** The parser, loaded at the first use; once per process. */
export async function loadSyntax(): Promise<Syntax> {
  loading ??= import('mvdan-sh').then(
    ({ default: parser }) => parser.syntax,
    (error: unknown) => {
      // The next command tries again.
      loading = null;
      throw error;
    },
  );
  return loading;
}
