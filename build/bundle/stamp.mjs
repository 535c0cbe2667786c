import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

function filesBelow(root, path) {
  const status = statSync(join(root, path), { throwIfNoEntry: false });
  if (status === undefined) return [];
  if (status.isFile()) return [path];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
    const child = `${path}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, child);
    return entry.name.endsWith('.md') ? [] : [child];
  });
}

/**
 * A short hash (12 hexadecimal digits) over names and contents of all files below `paths` and over `extra` strings.
 * Markdown is left out: it never reaches a bundle. Paths that do not exist count as empty.
 */
export function stampOf(root, paths, extra = []) {
  const hash = createHash('sha256').update(JSON.stringify(extra));
  const files = paths.flatMap((path) => filesBelow(root, path)).sort();
  for (const file of files) {
    const content = readFileSync(join(root, file));
    hash.update(`\0${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 12);
}
