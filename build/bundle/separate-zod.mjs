import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const namespace = 'zod-of-packages';

/**
 * Gives packages a zod of their own. Our code takes only zod/mini; the model SDK takes all of zod, and with one copy its parts
 * would stand in the chunks that every program loads (0.5 MB each). Locales but English are left out: nobody switches them.
 */
export const separateZod = {
  name: 'separate-zod',
  setup(build) {
    build.onResolve({ filter: /^zod(\/|$)/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === namespace || !importer.includes('node_modules')) return undefined;
      const found = await build.resolve(path, { importer, resolveDir, kind, pluginData: namespace });
      if (found.errors.length > 0) return { errors: found.errors };
      return { path: found.path, namespace, sideEffects: false };
    });
    build.onResolve({ filter: /^\./, namespace }, ({ path, importer }) => ({
      path: join(dirname(importer), path),
      namespace,
      sideEffects: false,
    }));
    build.onLoad({ filter: /[\\/]locales[\\/]index\.js$/, namespace }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
    build.onLoad({ filter: /\.js$/, namespace }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
    }));
  },
};
