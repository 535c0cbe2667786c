import {
  daemonBoundaries,
  supervisorBoundaries,
  workerBoundaries,
} from '../../../shared/domain/boundaries.ts';
import type { CrashPoint } from './scenario.ts';

const byRole = {
  worker: workerBoundaries,
  daemon: daemonBoundaries,
  supervisor: supervisorBoundaries,
} as const;

/** Every named boundary, before and after, in the process that it belongs to, at its nth passing. */
export function crashPoints(nth: number): readonly CrashPoint[] {
  return (['worker', 'daemon', 'supervisor'] as const).flatMap((role) =>
    byRole[role].flatMap((name) => (['before', 'after'] as const).map((side) => ({ role, name, side, nth }))),
  );
}

/** The name of a point as KAIROS_CRASH spells it. */
export function pointName({ role, name, side, nth }: CrashPoint): string {
  return `${role}:${name}:${side}:${nth}`;
}
