import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the built window beside this program, null when this build has none. */
export function builtWindow(): string | null {
  const folder = join(dirname(fileURLToPath(import.meta.url)), 'window');
  return existsSync(join(folder, 'index.html')) ? folder : null;
}
