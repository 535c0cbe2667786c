import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `import.meta.dirname` is missing from Node 18, and the bin must get far enough there to say what to do.
/** The absolute path of the checkout or of the installed package: the folder that holds package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Joins path segments below the root. */
export function fromRoot(...segments) {
  return join(root, ...segments);
}
