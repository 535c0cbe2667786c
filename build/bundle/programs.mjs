import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { entries, external } from './entries.mjs';
import { featureDefines } from './features.mjs';
import { launcher } from './launcher.mjs';
import { separateZod } from './separate-zod.mjs';

// CommonJS packages inside an ESM bundle still call require and read __dirname (pino does both).
const banner = [
  "import { createRequire as __makeRequire } from 'node:module';",
  'const require = __makeRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;',
].join('\n');

function options({ root, folder, crashPoints, features }, present) {
  return {
    absWorkingDir: root,
    entryPoints: present.map(({ name, source }) => ({ in: source, out: `${name}-main` })),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // Ink loads its developer tools only where DEV is set; see `define`.
    external: [...external, 'react-devtools-core'],
    plugins: [separateZod],
    banner: { js: banner },
    define: {
      __CRASH_POINTS__: String(crashPoints),
      // React's and ink's parts for development stay out of the terminal viewer.
      'process.env.NODE_ENV': '"production"',
      'process.env.DEV': '"false"',
      ...featureDefines(features),
    },
    sourcemap: 'linked',
    sourcesContent: false,
    // Takes the branches of __CRASH_POINTS__ and of features that are left out away altogether.
    minifySyntax: true,
    legalComments: 'none',
    chunkNames: 'chunk-[hash]',
    logLevel: 'warning',
    logLimit: 20,
  };
}

/** Bundles every program into `folder`, each as `<name>-main.js` with a launcher `<name>.js`; returns the names left out because their source is missing. */
export async function bundlePrograms(wanted) {
  const { root, folder } = wanted;
  const present = entries.filter(({ source }) => existsSync(join(root, source)));
  if (present.length > 0) await build(options(wanted, present));
  for (const { name } of present) writeFileSync(join(folder, `${name}.js`), launcher(name));
  return entries.filter((entry) => !present.includes(entry)).map(({ name }) => name);
}
