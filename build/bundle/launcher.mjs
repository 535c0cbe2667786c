/**
 * The text of `<name>.js`: turns the compile cache on, then imports the bundle.
 * The cache lives beside the bundle, or in KAIROS_COMPILE_CACHE; where that cannot be written Node goes on without one.
 * Node writes the cache at exit, so a process that is killed leaves none: it is also written 2 s after the start.
 */
export function launcher(name) {
  return `import module from 'node:module';
import { join } from 'node:path';
try {
  module.enableCompileCache?.(process.env.KAIROS_COMPILE_CACHE ?? join(import.meta.dirname, '.cache'));
  setTimeout(() => module.flushCompileCache?.(), 2000).unref();
} catch {
  // Without a cache the start takes longer, nothing else.
}
await import('./${name}-main.js');
`;
}
