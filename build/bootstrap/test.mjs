import { ensureBundle } from '../bundle.mjs';
import { root } from '../paths.mjs';
import { prepareAndRun } from './prepare.mjs';
import { summaryLine } from './summary.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { runVitest } from './vitest.mjs';

const everyday = ['unit', 'simulation', 'system'].flatMap((name) => ['--project', name]);

// npm test [-- file filters and vitest options]: every project but the long one, which `npm run crash` names itself.
await prepareAndRun(import.meta.url, async (args) => {
  await ensureSystemPackages();
  await ensureBundle({ root });
  await ensureBundle({ root, crashPoints: true });
  const projects = args.includes('--project') ? [] : everyday;
  const { counts, code } = await runVitest([...projects, ...args]);
  process.stdout.write(`${summaryLine(counts)}\n`);
  process.exitCode = code;
});
