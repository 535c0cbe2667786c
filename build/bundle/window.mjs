import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inputs } from './entries.mjs';
import { stampOf } from './stamp.mjs';

async function buildWithVite(root, folder) {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  await build({
    configFile: false,
    root: join(root, 'renderer'),
    // The window is served from a path the daemon chooses, so its addresses are relative.
    base: './',
    plugins: [react()],
    logLevel: 'warn',
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', sourcemap: false },
  });
}

function isSameWindow(previous, windowId) {
  try {
    const known = JSON.parse(readFileSync(join(previous, 'build.json'), 'utf8'));
    return known.windowId === windowId && existsSync(join(previous, 'window', 'index.html'));
  } catch {
    return false;
  }
}

/**
 * Puts the renderer into `folder`/window and returns its hash, or undefined while there is no renderer/index.html.
 * Takes it over from one of the `previous` builds when its sources are unchanged: vite is the slow half of a build.
 */
export async function bundleWindow({ root, folder, previous }) {
  if (!existsSync(join(root, 'renderer', 'index.html'))) return undefined;
  const windowId = stampOf(root, inputs.window);
  const same = previous.find((candidate) => isSameWindow(candidate, windowId));
  if (same === undefined) await buildWithVite(root, join(folder, 'window'));
  else cpSync(join(same, 'window'), join(folder, 'window'), { recursive: true });
  return windowId;
}
