import { fileURLToPath } from 'node:url';
import { ensureRuntime } from '../bin/runtime.mjs';
import { ensureDependencies } from './dependencies.mjs';

/** Runs `main` with packages installed and a Node that is new enough, in this process or in one that replaces it. */
export async function prepareAndRun(moduleUrl, main) {
  try {
    await ensureDependencies();
    if (await ensureRuntime(fileURLToPath(moduleUrl), process.argv.slice(2)))
      await main(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`kairos: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
