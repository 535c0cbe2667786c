import { type BigIntStats, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Knows files that are other names (hard links) of files in Kairos's home: a path cannot tell, only the file's own number. A file
 * with one name, as nearly all have, costs one look; the home is read once, when the first other one is met.
 */
export class HomeLinks {
  readonly #home: string;
  #own: ReadonlyMap<string, string> | null = null;

  constructor(home: string) {
    this.#home = home;
  }

  /** The real path in the home of what lies at an absolute path, null when it is none of the home. Never throws. */
  behind(path: string): string | null {
    const file = look(() => statSync(path, { bigint: true, throwIfNoEntry: false }));
    if (file === undefined || file.nlink < 2n || !file.isFile()) return null;
    this.#own ??= filesOf(this.#home);
    return this.#own.get(numberOf(file)) ?? null;
  }
}

/** `scratch` is free to tools. */
function filesOf(home: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const root = look(() => realpathSync(home)) ?? home;
  for (const name of look(() => readdirSync(root)) ?? []) {
    if (name === 'scratch') continue;
    const below = look(() => readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })) ?? [];
    for (const path of [join(root, name), ...below.map((each) => join(root, name, each))]) {
      const file = look(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
      if (file?.isFile() === true) files.set(numberOf(file), path);
    }
  }
  return files;
}

function numberOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** What cannot be looked at is not there. */
function look<T>(at: () => T): T | undefined {
  try {
    return at();
  } catch {
    // A folder that is a file, a name that went: whoever uses the path itself says what is wrong.
    return undefined;
  }
}
