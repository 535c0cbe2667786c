import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of this checkout. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Which build to run: the shipped one, or the one in which crash points work. */
export type Dist = 'dist' | 'dist-crash';

/** The real folder of a build, so that a build made meanwhile does not mix with it. Throws when it is missing. */
export function distFolder(dist: Dist): string {
  return realpathSync(join(root, dist));
}

/** The version that the checkout's package carries. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return version;
}
