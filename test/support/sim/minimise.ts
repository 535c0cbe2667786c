import type { Plan } from './plan.ts';

/** Drops actions as long as the same kind of violation stays; the smaller plan has the same seed. */
export async function minimise(
  plan: Plan,
  violations: readonly string[],
  run: (plan: Plan) => Promise<readonly string[]>,
): Promise<Plan> {
  const wanted = kindOf(violations[0] ?? '');
  const fails = async (smaller: Plan): Promise<boolean> =>
    (await run(smaller)).some((violation) => kindOf(violation) === wanted);
  let best = plan;
  for (
    let size = Math.ceil(plan.actions.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; at < best.actions.length; ) {
      const smaller = { ...best, actions: best.actions.toSpliced(at, size) };
      if (await fails(smaller)) best = smaller;
      else at += size;
    }
  }
  return best;
}

/** A violation without the ids and numbers in it. */
export function kindOf(violation: string): string {
  return violation
    .replace(/[a-z]+[_-][0-9a-z-]*\d[0-9a-z-]*/gi, 'X')
    .replace(/\d+/g, 'N')
    .slice(0, 60);
}
