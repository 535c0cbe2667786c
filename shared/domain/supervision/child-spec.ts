import { assertNever } from '../../base/assert-never.ts';
import type { RestartPolicy } from './restart-policy.ts';

/** permanent: always runs (channels); transient: until it ends in order (workers); temporary: once (jobs). */
export type ChildLifetime = 'permanent' | 'transient' | 'temporary';

/** How a child is kept: what its end means, how often it may be restarted, and how long it may take to stop (ms). */
export interface ChildSpec {
  readonly id: string;
  readonly lifetime: ChildLifetime;
  readonly restart: RestartPolicy;
  readonly stopGraceMs: number;
}

/** Whether a child that nobody stopped is to be restarted after its end (`orderly`: exit code 0). */
export function wantsRestart(lifetime: ChildLifetime, orderly: boolean): boolean {
  switch (lifetime) {
    case 'permanent':
      return true;
    case 'transient':
      return !orderly;
    case 'temporary':
      return false;
    default:
      return assertNever(lifetime, 'lifetime');
  }
}
