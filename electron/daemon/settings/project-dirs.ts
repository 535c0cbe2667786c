import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** More folders than this are above no project. */
const mostDirs = 32;

/**
 * The directories whose settings hold in `dir`, nearest first: `dir` and all above it up to the outermost repository that it lies
 * in (what holds cannot be shed by `git init` below); without one, `dir` alone. The person's own home directory and what is above
 * it belong to no project. Real paths; a directory that is gone is taken as it is named.
 */
export async function projectDirs(dir: string, personHome: string): Promise<readonly string[]> {
  const real = await realpath(dir).catch(() => dir);
  const own = await realpath(personHome).catch(() => personHome);
  const dirs = [real];
  let outermost = 0;
  for (let at = real; dirs.length < mostDirs; at = dirname(at)) {
    if (await hasRepository(at)) outermost = dirs.length - 1;
    const above = dirname(at);
    if (above === at || above === own || at === own) break;
    dirs.push(above);
  }
  return dirs.slice(0, outermost + 1);
}

function hasRepository(dir: string): Promise<boolean> {
  return lstat(join(dir, '.git')).then(
    () => true,
    () => false,
  );
}
