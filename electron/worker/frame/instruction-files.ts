import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../../../shared/domain/permissions/self-protection.ts';
import { importsOf } from './imports.ts';
import { readText, realFile } from './read-text.ts';

/** A file with what is taken from it. `note`: why it is not whole, or not there at all. */
export interface InstructionFile {
  readonly path: string;
  readonly text: string;
  readonly note: string | null;
}

/** Where instructions are looked for. */
export interface InstructionPlaces {
  /** Folders whose files hold everywhere: the first that has any is taken. */
  readonly user: readonly string[];
  /** From the root of the repository (or the session directory, when it is in none) down to the session directory. */
  readonly project: readonly string[];
  /** `~` of imports; files of `user` may import from below it. */
  readonly home: string;
}

/** Both are read where both are; the same content counts once. */
const fileNames = ['AGENTS.md', 'CLAUDE.md'];
const deepestImport = 5;
const mostFiles = 60;
/** Imports that are looked for; each costs a look at the disk, and a text of 160,000 characters may name 50,000. */
const mostImports = 500;
const longestFile = 40_000;
const longestSum = 100_000;

/** The root of the repository that `dir` lies in, or null. */
export async function repositoryOf(dir: string): Promise<string | null> {
  for (let folder = dir; ; folder = dirname(folder)) {
    if ((await realFile(join(folder, '.git'))) !== null) return folder;
    if (dirname(folder) === folder) return null;
  }
}

/** The places of a session: without a repository only its own directory, as what lies above it is not its owner's for sure. */
export function instructionPlaces(
  dir: string,
  repository: string | null,
  home = homedir(),
): InstructionPlaces {
  const project = [dir];
  for (let folder = dir; repository !== null && folder !== repository; ) {
    folder = dirname(folder);
    project.unshift(folder);
  }
  return { user: [join(home, '.config', 'kairos'), join(home, '.claude')], project, home };
}

/** All instruction files in the order in which they are read, the nearest last; what a file imports stands before it. */
export async function instructionFiles(places: InstructionPlaces): Promise<InstructionFile[]> {
  const collector = new Collector();
  const home = (await realFile(places.home)) ?? places.home;
  const own = (await Promise.all(places.user.map(realFile))).flatMap((folder) => folder ?? []);
  for (const folder of places.user) {
    await collector.addFolder(folder, { trees: [home], narrows: true, own, home: places.home });
    if (collector.files.length > 0) break;
  }
  const tree = await realFile(places.project[0] ?? '');
  for (const folder of tree === null ? [] : places.project) {
    const trees = [tree ?? folder];
    await collector.addFolder(folder, { trees, narrows: false, own, home: places.home });
  }
  return collector.files;
}

/** Where the files that a file imports may lie. */
interface Allowed {
  /** Everything below these. */
  readonly trees: readonly string[];
  /** What the person's own files import speaks for its own directory alone: it may come from anybody (a clone). */
  readonly narrows: boolean;
  /** The person's own folders: notes in them, not what else lies there (`~/.claude/.credentials.json`, conversations). */
  readonly own: readonly string[];
  /** `~` */
  readonly home: string;
}

function isAllowed(real: string, { trees, own }: Allowed): boolean {
  if (trees.some((folder) => isInside(real, folder))) return true;
  const inOwn = own.find((folder) => isInside(real, folder));
  if (inOwn === undefined || !/\.(?:md|txt)$/i.test(real)) return false;
  return !relative(inOwn, real)
    .split(sep)
    .some((part) => part.startsWith('.'));
}

function forImport(real: string, allowed: Allowed): Allowed {
  const isOwn = allowed.own.some((folder) => isInside(real, folder));
  return !allowed.narrows || isOwn ? allowed : { ...allowed, trees: [dirname(real)], narrows: false };
}

class Collector {
  readonly files: InstructionFile[] = [];
  readonly #seen = new Set<string>();
  readonly #texts = new Set<string>();
  #left = longestSum;
  #importsLeft = mostImports;

  async addFolder(folder: string, allowed: Allowed): Promise<void> {
    for (const name of fileNames) await this.#add(join(folder, name), allowed, 0);
  }

  async #add(path: string, allowed: Allowed, depth: number): Promise<void> {
    const real = await realFile(path);
    if (real === null || this.#seen.has(real) || this.files.length >= mostFiles) return;
    this.#seen.add(real);
    if (!isAllowed(real, allowed))
      return this.#skip(path, `not read: it leads to "${real}", outside of this directory tree`);
    const read = await readText(real, 4 * longestFile);
    if (read.kind === 'absent') return;
    if (read.kind === 'unusable') return this.#skip(path, `not read: it ${read.why}`);
    const text = read.text.trim();
    if (text === '' || this.#texts.has(text)) return;
    this.#texts.add(text);
    const own = depth === 0 ? allowed : forImport(real, allowed);
    const isWhole = depth >= deepestImport || (await this.#addImports(importsOf(text), real, own, depth + 1));
    this.#take(path, text, read.bytes, isWhole);
  }

  /** False when some were not looked at. */
  async #addImports(
    imports: readonly string[],
    from: string,
    allowed: Allowed,
    depth: number,
  ): Promise<boolean> {
    for (const each of imports) {
      if (this.files.length >= mostFiles || this.#importsLeft === 0) return false;
      this.#importsLeft -= 1;
      await this.#add(importedPath(each, dirname(from), allowed.home), allowed, depth);
    }
    return true;
  }

  #take(path: string, text: string, bytes: number, isWhole: boolean): void {
    const kept = text.slice(0, Math.min(longestFile, this.#left));
    this.#left -= kept.length;
    const isCut = kept.length < text.length || bytes > 4 * longestFile;
    const notes = [
      ...(isCut ? [`cut after ${kept.length} characters: Read it for the rest`] : []),
      ...(isWhole
        ? []
        : [`not all that it imports was read: at most ${mostFiles} files, ${mostImports} imports`]),
    ];
    this.files.push({ path, text: kept, note: notes.length === 0 ? null : notes.join('; ') });
  }

  #skip(path: string, note: string): void {
    this.files.push({ path, text: '', note });
  }
}

function importedPath(path: string, folder: string, home: string): string {
  if (path.startsWith('~/')) return join(home, path.slice(2));
  return isAbsolute(path) ? path : resolve(folder, path);
}
