import { isAbsolute, resolve } from 'node:path';
import { markerPath } from './marker-path.ts';
import { lineReader, quotedTexts, type TracedCall, unquoted } from './trace-line.ts';

/** A program that a process became. */
export interface Image {
  /** As it was handed to the kernel: absolute, or relative to where the process stood. */
  readonly path: string;
  readonly argv: readonly string[];
  /** What its process was before; null for the shell of the command itself. */
  readonly by: Image | null;
}

/** What a command did, as far as it counts. */
export type Deed =
  | { readonly kind: 'ran'; readonly image: Image }
  /** Created, changed, removed or linked; `path` is absolute. */
  | { readonly kind: 'wrote'; readonly path: string; readonly by: Image }
  | { readonly kind: 'loaded'; readonly path: string; readonly by: Image }
  | { readonly kind: 'connected'; readonly to: string; readonly by: Image }
  | { readonly kind: 'signalled'; readonly by: Image }
  /** The shell of the command read one of the planted scripts. */
  | { readonly kind: 'sourced'; readonly path: string };

/** Reads the trace of one batch; `take` gets the deeds of every command by its number, in their order. */
export function deedsReader(
  work: string,
  take: (command: number, deed: Deed) => void,
): (line: string) => void {
  const read = lineReader();
  const images = new Map<number, Image>();
  /** Images of processes that were about to make another one, for each process the ones not told yet. */
  const making = new Map<number, Image>();
  let [current, driver] = [-1, -1];
  let shell: Image | null = null;
  /** One that was not told yet is the child of the process that is about to make one. */
  const imageOf = (pid: number): Image | null =>
    images.get(pid) ?? (making.size === 1 ? [...making.values()][0] : null) ?? shell;
  return (line) => {
    const parsed = read(line);
    if (!parsed) return;
    if (parsed.kind === 'began') {
      const image = imageOf(parsed.pid);
      if (image && isFork(parsed.name)) making.set(parsed.pid, image);
      return;
    }
    const { call } = parsed;
    const next = markOf(call);
    if (next !== null) {
      [current, driver] = [next, call.pid];
      images.clear();
      making.clear();
      shell = null;
      return;
    }
    if (current < 0) return;
    if (isFork(call.name)) {
      const image = making.get(call.pid) ?? imageOf(call.pid);
      making.delete(call.pid);
      const child = Number.parseInt(call.result, 10);
      if (image && child > 0 && !images.has(child)) images.set(child, image);
      return;
    }
    if (call.name.startsWith('execve')) {
      const image = executed(call, imageOf(call.pid));
      if (!image) return;
      images.set(call.pid, image);
      if (shell === null) shell = image;
      else take(current, { kind: 'ran', image });
      return;
    }
    const by = call.pid === driver ? null : imageOf(call.pid);
    if (by) for (const deed of deedsOf(call, by, work)) take(current, deed);
  };
}

function isFork(name: string): boolean {
  return name.startsWith('clone') || name === 'vfork' || name === 'fork';
}

function markOf({ name, args }: TracedCall): number | null {
  if (!name.startsWith('open')) return null;
  const at = args.indexOf(markerPath);
  return at < 0 ? null : Number.parseInt(args.slice(at + markerPath.length), 10);
}

/** A file without a first line that names an interpreter is run by the shell itself. */
function executed({ args, result }: TracedCall, by: Image | null): Image | null {
  if (result !== '0' && !result.includes('ENOEXEC')) return null;
  const [path = '', ...argv] = quotedTexts(args);
  return { path, argv, by };
}

/** To itself, or signal 0, which only asks whether somebody is there. */
function isOnlyAsked({ args, pid }: TracedCall): boolean {
  return Number.parseInt(args, 10) === pid || args.trimEnd().endsWith(', 0');
}

/** The C library asks a name service daemon who somebody is, over a socket of its own. */
const isNetwork = /AF_INET|AF_UNIX(?!.*nscd)/;
const changes = /^(?:creat|truncate|rename|link|symlink|unlink|mkdir|rmdir|mknod|f?chmod|[fl]?chown)/;

function deedsOf(call: TracedCall, by: Image, work: string): readonly Deed[] {
  if (call.name.endsWith('kill')) return isOnlyAsked(call) ? [] : [{ kind: 'signalled', by }];
  if (call.name === 'connect' || call.name === 'bind')
    return isNetwork.test(call.args) ? [{ kind: 'connected', to: call.args, by }] : [];
  if (call.result.startsWith('-1') || call.result.startsWith('?')) return [];
  if (call.name.startsWith('open')) return opened(call, by);
  return changes.test(call.name) ? changed(call, by, work) : [];
}

/** The kernel's own name of the opened file is what counts. */
function opened({ args, result }: TracedCall, by: Image): readonly Deed[] {
  const path = unquoted(/^\d+<(.*)>$/s.exec(result)?.[1] ?? '');
  if (/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/.test(args)) return [{ kind: 'wrote', path, by }];
  if (by.by === null && path.endsWith('rc.sh')) return [{ kind: 'sourced', path }];
  return /\.so\b/.test(path) && args.includes('O_CLOEXEC') ? [{ kind: 'loaded', path, by }] : [];
}

const folder = /AT_FDCWD<((?:[^>\\]|\\.)*)>|\d+<((?:[^>\\]|\\.)*)>/g;

function changed({ name, args }: TracedCall, by: Image, work: string): readonly Deed[] {
  const folders = [...args.matchAll(folder)].map(([, cwd, fd]) => unquoted(cwd ?? fd ?? ''));
  const texts = quotedTexts(args);
  const touched = name.startsWith('symlink') || name.startsWith('link') ? texts.slice(-1) : texts;
  return touched.map((text, at): Deed => {
    const base = folders[name.startsWith('link') ? folders.length - 1 : at] ?? folders[0] ?? work;
    return { kind: 'wrote', path: isAbsolute(text) ? text : resolve(base, text), by };
  });
}
