import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { distFolder, root } from '../../support/real/checkout.ts';
import type { Row } from '../row.ts';

function bytesBelow(folder: string, counts: (path: string) => boolean): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(counts)
    .reduce((sum, path) => sum + statSync(path).size, 0);
}

const megabyte = 1024 * 1024;

/** What an installation would hold without Node: bundles and the packages that stay outside them. */
export const sizeRow: Row = {
  name: 'size',
  title: 'Installed size without Node and Electron',
  async run() {
    const bundles = bytesBelow(distFolder('dist'), (path) => !path.includes('.cache'));
    const native = bytesBelow(join(root, 'node_modules/better-sqlite3'), (path) =>
      /(?:[/\\](?:lib|build|prebuilds)[/\\])|package\.json$/.test(path),
    );
    return [
      { name: 'bundles with source maps', value: bundles / megabyte, unit: 'MB' },
      {
        name: 'bundles and native packages',
        measure: 'installed size',
        value: (bundles + native) / megabyte,
        unit: 'MB',
        target: 80,
      },
    ];
  },
};
