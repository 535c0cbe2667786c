import type { ProcessInfo } from './process-info.ts';

/** What is looked at to tell whether a process has slipped away from the one that started it. */
export interface OrphanFacts {
  readonly self: ProcessInfo;
  /** Undefined: it has none, or that one is hidden. */
  readonly parent: ProcessInfo | undefined;
  /** Names of the variables it was started with; undefined: they cannot be read. */
  readonly variables: readonly string[] | undefined;
  /** True for the systemd that runs a person's own services: it collects orphans, and newer ones hide their environment. */
  readonly isUserManager: (info: ProcessInfo) => boolean;
}

/** Fewer variables than these two and one more come from no login, desktop, cron or container, but from `env -i`. */
const everyEnvironmentHas = ['HOME', 'PATH'];
const fewestVariables = 3;

function isNearlyEmpty(variables: readonly string[]): boolean {
  return variables.length < fewestVariables || !everyEnvironmentHas.every((name) => variables.includes(name));
}

/**
 * True when a process was taken in by init, by a person's systemd, or by a child of init (which may have asked for orphans) and
 * its environment tells nothing about where it comes from: nearly empty, or hidden although it is ours to read.
 */
export function isDoubtfulOrphan({ self, parent, variables, isUserManager }: OrphanFacts): boolean {
  if (self.pid <= 1 || isUserManager(self)) return false;
  const takenIn = self.ppid <= 1 || (parent !== undefined && isUserManager(parent));
  if (variables === undefined) return takenIn;
  const perhapsTakenIn = takenIn || (parent !== undefined && parent.ppid <= 1);
  return perhapsTakenIn && isNearlyEmpty(variables);
}
