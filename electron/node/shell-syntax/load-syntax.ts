/** The parser's functions. */
export type Syntax = typeof import('mvdan-sh')['default']['syntax'];

let loading: Promise<Syntax> | null = null;

/** The parser, loaded at the first use; once per process. */
export async function loadSyntax(): Promise<Syntax> {
  loading ??= import('mvdan-sh').then(
    ({ default: shell }) => shell.syntax,
    (error: unknown) => {
      // The next command tries again.
      loading = null;
      throw error;
    },
  );
  return loading;
}
