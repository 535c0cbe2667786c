import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { type HookPlaces, namedPaths } from '../../../shared/domain/hooks/named-paths.ts';
import { isInside } from '../../../shared/domain/permissions/self-protection.ts';
import type { HooksSection } from '../../../shared/domain/session-config.ts';

/** A file that hooks name, in the tree of their project. `content`: names what is in it, another text when that changes. */
export interface HookFile {
  readonly path: string;
  readonly real: string;
  readonly content: string;
  /** Its content is known by its SHA-256; else by size and times alone. */
  readonly isRead: boolean;
}

/** More files, and larger ones, than any hook needs: of these the times count in place of the content. */
const mostFiles = 64;
const mostBytes = 16n * 1024n * 1024n;

/** Looks at files that hooks name; what did not change is not read again. */
export class HookFiles {
  readonly #known = new Map<string, { readonly stamp: string; readonly file: HookFile }>();

  /** The files that are there, in the order of their paths. Rejects never. */
  async found(sections: readonly HooksSection[], places: HookPlaces): Promise<readonly HookFile[]> {
    const paths = [...new Set(named(sections, places).map(({ path }) => path))].toSorted();
    const files: HookFile[] = [];
    for (const path of paths) {
      const file = await this.#look(path, places, files.length < mostFiles).catch(() => null);
      if (file !== null) files.push(file);
    }
    return files;
  }

  async #look(path: string, { top }: HookPlaces, mayRead: boolean): Promise<HookFile | null> {
    await lstat(path);
    const real = await realpath(path);
    const stats = await lstat(real, { bigint: true });
    if (!stats.isFile()) return null;
    const { dev, ino, size, mtimeNs, ctimeNs } = stats;
    const stamp = [real, dev, ino, size, mtimeNs, ctimeNs].join(' ');
    const known = this.#known.get(path);
    if (known?.stamp === stamp) return known.file;
    const isRead = mayRead && size <= mostBytes && isInside(real, top);
    const content = isRead ? await digestOf(real) : stamp;
    const file = { path, real, content, isRead };
    this.#known.set(path, { stamp, file });
    return file;
  }
}

/** What hooks name in the tree: paths that are protected, whether or not a file lies there already. */
export function hookScripts(sections: readonly HooksSection[], places: HookPlaces): readonly string[] {
  return named(sections, places).flatMap(({ path, isScript }) => (isScript ? [path] : []));
}

function named(sections: readonly HooksSection[], places: HookPlaces): ReturnType<typeof namedPaths> {
  const commands = sections.flatMap((section) =>
    Object.values(section).flatMap((groups) =>
      groups.flatMap(({ hooks }) => hooks.map(({ command }) => command)),
    ),
  );
  const inTree = (path: string): boolean => path !== places.top && isInside(path, places.top);
  return commands.flatMap((command) => namedPaths(command, places)).filter(({ path }) => inTree(path));
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
