import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isInside } from '../../../shared/domain/permissions/policy.ts';
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
  for (const folder of places.user) {
    await collector.addFolder(folder, [home], places.home);
    if (collector.files.length > 0) break;
  }
  const tree = await realFile(places.project[0] ?? '');
  const own = (await Promise.all(places.user.map(realFile))).flatMap((folder) => folder ?? []);
  for (const folder of tree === null ? [] : places.project) {
    await collector.addFolder(folder, [tree ?? folder, ...own], places.home);
  }
  return collector.files;
}

class Collector {
  readonly files: InstructionFile[] = [];
  readonly #seen = new Set<string>();
  readonly #texts = new Set<string>();
  #left = longestSum;

  async addFolder(folder: string, allowed: readonly string[], home: string): Promise<void> {
    for (const name of fileNames) await this.#add(join(folder, name), { allowed, home, depth: 0 });
  }

  async #add(path: string, from: { allowed: readonly string[]; home: string; depth: number }): Promise<void> {
    const real = await realFile(path);
    if (real === null || this.#seen.has(real) || this.files.length >= mostFiles) return;
    this.#seen.add(real);
    if (!from.allowed.some((folder) => isInside(real, folder)))
      return this.#skip(path, `not read: it leads to "${real}", outside of this directory tree`);
    const read = await readText(real, 4 * longestFile);
    if (read.kind === 'absent') return;
    if (read.kind === 'unusable') return this.#skip(path, `not read: it ${read.why}`);
    const text = read.text.trim();
    if (text === '' || this.#texts.has(text)) return;
    this.#texts.add(text);
    if (from.depth < deepestImport) {
      for (const each of importsOf(text))
        await this.#add(importedPath(each, dirname(real), from.home), { ...from, depth: from.depth + 1 });
    }
    this.#take(path, text, read.bytes);
  }

  #take(path: string, text: string, bytes: number): void {
    const kept = text.slice(0, Math.min(longestFile, this.#left));
    this.#left -= kept.length;
    const note =
      kept.length < text.length || bytes > 4 * longestFile
        ? `cut after ${kept.length} characters: Read it for the rest`
        : null;
    this.files.push({ path, text: kept, note });
  }

  #skip(path: string, note: string): void {
    this.files.push({ path, text: '', note });
  }
}

function importedPath(path: string, folder: string, home: string): string {
  if (path.startsWith('~/')) return join(home, path.slice(2));
  return isAbsolute(path) ? path : resolve(folder, path);
}
