import { ensureBundle } from '../bundle.mjs';
import { root } from '../paths.mjs';
import { prepareAndRun } from './prepare.mjs';

await prepareAndRun(import.meta.url, async (args) => {
  const started = performance.now();
  const { buildId, built } = await ensureBundle({ root, crashPoints: args.includes('--crash-points') });
  const took = Math.round(performance.now() - started);
  process.stderr.write(`kairos: build ${buildId} ${built ? 'made' : 'is current'} (${took} ms)\n`);
});
