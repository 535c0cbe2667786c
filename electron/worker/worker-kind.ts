/** Kinds of workers that the daemon may ask for. */
export type WorkerKind = 'session' | 'dream' | 'hippocampus' | 'external-agent';

/** What a command line asks for: a kind this version has with the folder for its large frames, or why not. */
export type WorkerStart =
  | { readonly kind: 'session'; readonly parcels: string }
  | { readonly kind: 'refused'; readonly message: string };

const option = '--daemon-worker=';
const parcelsOption = '--parcels=';
const later: readonly string[] = ['dream', 'hippocampus', 'external-agent'] satisfies readonly WorkerKind[];

/** Reads `--daemon-worker=<kind> --parcels=<folder>`. */
export function readWorkerKind(args: readonly string[]): WorkerStart {
  const kind = valueOf(option, args);
  const parcels = valueOf(parcelsOption, args);
  if (kind === 'session' && parcels !== undefined) return { kind, parcels };
  if (kind === 'session')
    return { kind: 'refused', message: `A worker needs ${parcelsOption}<folder>; the daemon starts it.` };
  if (kind === undefined)
    return { kind: 'refused', message: `A worker needs ${option}<kind>; the daemon starts it.` };
  const why = later.includes(kind) ? 'is not in this version' : 'is unknown';
  return { kind: 'refused', message: `Worker kind "${kind}" ${why}; this version has "session".` };
}

function valueOf(name: string, args: readonly string[]): string | undefined {
  return args.find((arg) => arg.startsWith(name))?.slice(name.length);
}
