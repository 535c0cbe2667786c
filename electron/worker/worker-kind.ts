/** Kinds of workers that the daemon may ask for. */
export type WorkerKind = 'session' | 'dream' | 'hippocampus' | 'external-agent';

/** What a command line asks for: a kind this version has, or why not. */
export type WorkerStart =
  | { readonly kind: 'session' }
  | { readonly kind: 'refused'; readonly message: string };

const option = '--daemon-worker=';
const later: readonly string[] = ['dream', 'hippocampus', 'external-agent'] satisfies readonly WorkerKind[];

/** Reads `--daemon-worker=<kind>`. */
export function readWorkerKind(args: readonly string[]): WorkerStart {
  const kind = args.find((arg) => arg.startsWith(option))?.slice(option.length);
  if (kind === 'session') return { kind };
  if (kind === undefined)
    return { kind: 'refused', message: `A worker needs ${option}<kind>; the daemon starts it.` };
  const why = later.includes(kind) ? 'is not in this version' : 'is unknown';
  return { kind: 'refused', message: `Worker kind "${kind}" ${why}; this version has "session".` };
}
