/** Every program that is bundled: its name in the output folder and its source file, relative to the root. */
export const entries = [
  { name: 'kairos', source: 'electron/cli/main.ts' },
  { name: 'supervisor', source: 'electron/supervisor/main.ts' },
  { name: 'daemon', source: 'electron/daemon/main.ts' },
  { name: 'worker', source: 'electron/worker/main.ts' },
  // Not a process: a thread of the worker.
  { name: 'parser', source: 'electron/worker/tools/parsing/main.ts' },
  // Ends with its job: the facts of a call that nobody makes.
  { name: 'facts', source: 'electron/worker/facts/main.ts' },
  { name: 'reader', source: 'electron/daemon/events/reader/main.ts' },
];

/** Packages that are loaded from node_modules at run time, because they bring native binaries next to their code. */
export const external = ['better-sqlite3'];

/** The files and folders whose content decides whether a build is current, relative to the root. */
export const inputs = {
  programs: ['electron', 'shared', 'build/bundle', 'build/bundle.mjs', 'package.json', 'package-lock.json'],
  window: ['renderer', 'shared', 'build/bundle/window.mjs', 'package-lock.json'],
};
