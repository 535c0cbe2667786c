import { run, endLike } from './spawn.mjs';
import { fromRoot } from '../paths.mjs';
import { prepareAndRun } from './prepare.mjs';

// npm start: packages, bundle, then `kairos start`, which runs the daemon in the foreground or finds the running one.
await prepareAndRun(import.meta.url, async (args) => {
  endLike(await run(process.execPath, [fromRoot('build', 'bin', 'kairos.mjs'), 'start', ...args]));
});
