import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { withLock } from './bootstrap/lock.mjs';
import { inputs } from './bundle/entries.mjs';
import { featuresOf } from './bundle/features.mjs';
import { finishedBuilds, publish, publishedId } from './bundle/publish.mjs';
import { stampOf } from './bundle/stamp.mjs';

function describe(root, crashPoints, features) {
  const link = join(root, crashPoints ? 'dist-crash' : 'dist');
  const paths = [...inputs.programs, 'renderer'];
  const extra = [process.version, String(crashPoints), JSON.stringify(features)];
  return { root, crashPoints, features, link, buildId: stampOf(root, paths, extra) };
}

// Only the holder of the lock builds, so every other unfinished folder belongs to a builder that was killed.
function removeRemains(link) {
  for (const name of readdirSync(dirname(link))) {
    if (name.startsWith(`${basename(link)}.tmp-`))
      rmSync(join(dirname(link), name), { recursive: true, force: true });
  }
}

async function make({ root, crashPoints, features, link, buildId }, finished) {
  // Loaded here, because esbuild costs the quick check 30 ms that it does not need.
  const [{ bundlePrograms }, { bundleWindow }] = await Promise.all([
    import('./bundle/programs.mjs'),
    import('./bundle/window.mjs'),
  ]);
  const folder = `${link}.tmp-${process.pid}`;
  removeRemains(link);
  mkdirSync(folder, { recursive: true });
  try {
    const [missing, windowId] = await Promise.all([
      bundlePrograms({ root, folder, crashPoints, features }),
      bundleWindow({ root, folder, previous: finishedBuilds(join(root, 'dist')) }),
    ]);
    if (missing.length > 0)
      process.stderr.write(`kairos: not bundled, source missing: ${missing.join(', ')}\n`);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    writeFileSync(join(folder, 'build.json'), `${JSON.stringify({ version, buildId, windowId })}\n`);
    writeFileSync(join(folder, '.stamp'), `${buildId}\n`);
    renameSync(folder, finished);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes `dist` (or, with crash points compiled in, `dist-crash`) match the sources below `root`.
 * Returns `{ buildId, built }`; `built` is false when the output was current. Safe to call from several processes at once.
 */
export async function ensureBundle({ root, crashPoints = false, features = featuresOf(process.env) }) {
  const wanted = describe(root, crashPoints, features);
  const { link, buildId } = wanted;
  if (publishedId(link) === buildId) return { buildId, built: false };
  return withLock(`${link}.lock`, async () => {
    if (publishedId(link) === buildId) return { buildId, built: false };
    const finished = `${link}.${buildId}`;
    const built = !existsSync(join(finished, '.stamp'));
    if (built) {
      rmSync(finished, { recursive: true, force: true });
      await make(wanted, finished);
    }
    publish(link, finished);
    return { buildId, built };
  });
}
