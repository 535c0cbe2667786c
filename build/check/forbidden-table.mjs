const ports = ['electron/node/clock.ts', 'electron/node/ids.ts', 'renderer/ports.ts'];
const clockReason = 'time comes through the clock port';
const chanceReason = 'ids and randomness come through the ids port';

/**
 * Calls that only some files may make. `what` is a global function, `object.member`, or `new Date` (without arguments).
 * A rule holds for files below one of `inside` (everywhere when absent), except below one of `except`.
 */
export const forbiddenCalls = [
  { what: 'setTimeout', except: [...ports, 'test', 'build', 'renderer'], reason: clockReason },
  { what: 'setInterval', except: [...ports, 'test', 'build', 'renderer'], reason: clockReason },
  { what: 'Date.now', except: [...ports, 'test', 'build'], reason: clockReason },
  { what: 'new Date', except: [...ports, 'test', 'build'], reason: clockReason },
  { what: 'performance.now', except: [...ports, 'test', 'build'], reason: clockReason },
  { what: 'crypto.randomUUID', except: [...ports, 'test', 'build'], reason: chanceReason },
  { what: 'randomUUID', except: [...ports, 'test', 'build'], reason: chanceReason },
  { what: 'Math.random', except: [...ports, 'test', 'build'], reason: chanceReason },
  { what: 'execSync', inside: ['electron/daemon'], reason: 'the daemon never blocks' },
  { what: 'execFileSync', inside: ['electron/daemon'], reason: 'the daemon never blocks' },
  { what: 'spawnSync', inside: ['electron/daemon'], reason: 'the daemon never blocks' },
];

/** Modules that only some files may import, with the same `inside` and `except`. */
export const forbiddenModules = [
  { what: 'node:timers/promises', except: [...ports, 'test', 'build'], reason: clockReason },
  { what: 'timers/promises', except: [...ports, 'test', 'build'], reason: clockReason },
];
