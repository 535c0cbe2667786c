import { pathToFileURL } from 'node:url';
import { ensureBundle } from '../bundle.mjs';
import { fromRoot, root } from '../paths.mjs';
import { prepareAndRun } from './prepare.mjs';

// node build/bootstrap/run.mjs <file.ts> [arguments]: runs a program of the checkout on its own Node, with dist current.
await prepareAndRun(import.meta.url, async ([file, ...args]) => {
  if (file === undefined) throw new Error('name the file to run');
  await ensureBundle({ root });
  const path = fromRoot(file);
  process.argv.splice(1, process.argv.length, path, ...args);
  await import(pathToFileURL(path).href);
});
