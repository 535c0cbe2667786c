#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureDependencies } from '../bootstrap/dependencies.mjs';
import { fromRoot, root } from '../paths.mjs';
import { ensureRuntime } from './runtime.mjs';

// The first code of every `kairos` command. stdout belongs to the command: everything here speaks on stderr only.
async function main() {
  // `npm run kairos` starts in the checkout; what is meant is where the person stands.
  const { INIT_CWD: stands, npm_lifecycle_event: script } = process.env;
  if (script === 'kairos' && stands !== undefined && existsSync(stands)) process.chdir(stands);
  const isCheckout = existsSync(fromRoot('build', 'bundle.mjs')) && existsSync(fromRoot('electron'));
  if (isCheckout) await ensureDependencies();
  if (!(await ensureRuntime(fileURLToPath(import.meta.url), process.argv.slice(2)))) return;
  if (isCheckout && process.env.KAIROS_NO_BUILD !== '1') {
    const { ensureBundle } = await import('../bundle.mjs');
    await ensureBundle({ root });
  }
  const program = fromRoot('dist', 'kairos.js');
  if (!existsSync(program)) throw new Error('dist/kairos.js is missing; run "npm run build"');
  await import(pathToFileURL(program).href);
}

try {
  await main();
} catch (error) {
  // What went wrong while installing or building is told by those; a stack would hide it.
  process.stderr.write(`kairos: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
