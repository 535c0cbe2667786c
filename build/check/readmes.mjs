import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

function foldersIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${folder}/${entry.name}`);
}

/** Process folders and stages (those that exist below `root`) without a README.md. */
export function checkReadmes(root) {
  const top = ['electron', 'renderer', 'shared', 'build', 'test'].filter((folder) =>
    existsSync(join(root, folder)),
  );
  // electron itself only groups the processes; each of them explains itself.
  const explained = top.filter((folder) => folder !== 'electron');
  return [...explained, ...foldersIn(root, 'electron'), ...foldersIn(root, 'electron/daemon')]
    .filter((folder) => !existsSync(join(root, folder, 'README.md')))
    .map((folder) => `${folder}: README.md is missing`);
}
