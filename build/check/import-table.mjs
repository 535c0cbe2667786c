/**
 * Who may import whom. A file belongs to the longest `folder` that contains it; it may import its own folder and those in `may`.
 * `direct` limits a rule to files that lie directly in the folder, so a new sub-folder needs a row of its own.
 * `packages`: 'none', 'zod' (only zod/mini), 'npm' (packages, not node:), 'any' (both). `electron` is for the app shell alone.
 * `also`: single packages besides.
 */
const everyProcess = ['shared', 'electron/node'];
const everyStage = [...everyProcess, 'electron/daemon/events'];
const stages = [
  'channels',
  'inbound',
  'models',
  'sessions',
  'supervision',
  'prompts',
  'viewers',
  'effects',
  'schedule',
  'memory',
  'secrets',
  'settings',
];

export const importTable = [
  { folder: 'shared/base', may: [], packages: 'zod' },
  { folder: 'shared/domain', may: ['shared/base'], packages: 'zod' },
  {
    folder: 'shared/domain/permissions',
    may: ['shared/base', 'shared/domain'],
    packages: 'zod',
    also: ['ignore'],
  },
  { folder: 'shared/session', may: ['shared/base', 'shared/domain'], packages: 'zod' },
  { folder: 'shared/protocol', may: ['shared/base', 'shared/domain', 'shared/session'], packages: 'zod' },
  {
    folder: 'shared/viewing',
    may: ['shared/base', 'shared/domain', 'shared/session', 'shared/protocol'],
    packages: 'zod',
  },
  { folder: 'electron/node', may: ['shared'], packages: 'any' },
  { folder: 'electron/main', may: everyProcess, packages: 'any', electron: true },
  { folder: 'electron/preload', may: ['shared'], packages: 'none', electron: true },
  { folder: 'electron/supervisor', may: everyProcess, packages: 'any' },
  { folder: 'electron/worker', may: everyProcess, packages: 'any' },
  { folder: 'electron/worker/agent', may: ['shared'], packages: 'none' },
  { folder: 'electron/channels', may: everyProcess, packages: 'any' },
  { folder: 'electron/cli', may: everyProcess, packages: 'any' },
  { folder: 'electron/daemon', direct: true, may: everyStage, packages: 'any' },
  { folder: 'electron/daemon/events', may: everyProcess, packages: 'any' },
  ...stages.map((stage) => ({ folder: `electron/daemon/${stage}`, may: everyStage, packages: 'any' })),
  { folder: 'renderer', may: ['shared'], packages: 'npm' },
  { folder: 'build', may: [], packages: 'any' },
  { folder: 'test', may: ['shared', 'electron', 'renderer', 'build'], packages: 'any', electron: true },
];

/** The files that compose a process and therefore know everything in it: a path pattern and what it may import besides. */
export const composers = [
  { pattern: /^electron\/daemon\/(main|compose[^/]*)\.ts$/, may: ['electron/daemon'] },
];
