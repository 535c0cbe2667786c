import type { Socket } from 'node:net';

/** Carries bytes both ways until both ends are done; the end of one with a fault ends the other. */
export function join(near: Socket, far: Socket): void {
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroySoon());
    from.pipe(to);
  }
}
