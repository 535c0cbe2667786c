import { type Route, routeKey, viewersRoute } from '../../../../shared/domain/origin-route.ts';
import { isAnswered } from '../../../../shared/domain/steps.ts';
import type { Store } from '../../events/port.ts';
import type { SessionRow } from '../../events/rows.ts';
import type { Owed } from './host-input.ts';

/**
 * Messages that a reply can go to, with their routes: those without an answer, else all of the turn, and the one that is
 * `named`. A turn can owe hundreds and routes of one chat differ in `reply_to` alone, so only the newest of each chat and the
 * named one are looked up; a viewer's route needs no looking up.
 */
export async function owedMessages(
  store: Pick<Store, 'message'>,
  row: SessionRow,
  named: string | null,
): Promise<Owed[]> {
  const turn = row.turn;
  if (!turn) return [];
  const routes = new Map<string, Route>([[routeKey(viewersRoute), viewersRoute]]);
  const open = turn.owes.filter((message) => !isAnswered(turn, message));
  const candidates = open.length > 0 ? open : turn.owes;
  const newest = new Map(candidates.map((message) => [message.routeKey, message.wake]));
  const lookUp = async (key: string, wake: string): Promise<void> => {
    const status = routes.has(key) ? null : await store.message(wake);
    if (status) routes.set(key, status.wake.route);
  };
  for (const [key, wake] of newest) await lookUp(key, wake);
  const exact = turn.owes.find((message) => message.ref === named);
  if (exact) await lookUp(exact.wake, exact.wake);
  return turn.owes.flatMap((message) => {
    const route = routes.get(message.wake) ?? routes.get(message.routeKey);
    return route
      ? [{ wake: message.wake, ref: message.ref, route, answered: isAnswered(turn, message) }]
      : [];
  });
}
