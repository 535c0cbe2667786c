import type { EventBody } from '../../../../shared/domain/events.ts';
import { idPrefix } from '../../../../shared/domain/ids.ts';
import { type Route, routeKey } from '../../../../shared/domain/origin-route.ts';
import { sha256 } from '../blobs/hash.ts';
import type { EffectRow } from '../rows.ts';
import { effects, sent } from '../rows/tables.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Tx } from './tx.ts';

/** A message to a person; the open turn is added. */
export type Outgoing = Omit<EventBody<'message.sent'>, 'turn' | 'routes'> & {
  readonly routes: readonly Route[];
};

/**
 * Stores a visible message and plans its deliveries. A route that got the same text and files in this turn is left out; when none is
 * left nothing is stored.
 */
export function sendMessage(tx: Tx, draft: SessionDraft, message: Outgoing): void {
  const turn = draft.row.turn?.id ?? null;
  const files = (message.attachments ?? []).map(({ hash }) => hash);
  const textHash = sha256([message.text, ...files].join('\n'));
  const routes = newRoutes(tx, turn, textHash, message.routes);
  if (routes.length === 0) return;
  const event = tx.append(draft, { type: 'message.sent', body: { turn, ...message, routes } });
  draft.set({ lastActivity: tx.now });
  if (turn !== null) {
    const { id, session, seq } = event;
    tx.rows.insert(sent, { event: id, session, seq, turn, textHash, routeKeys: routes.map(routeKey) });
  }
  const cause = message.call ?? turn ?? draft.id;
  for (const route of routes)
    if (route.surface !== 'viewers') planDelivery(tx, draft, cause, route, message.text);
}

function newRoutes(tx: Tx, turn: string | null, textHash: string, routes: readonly Route[]): Route[] {
  const before = turn === null ? [] : tx.rows.find(sent, { eq: { turn } });
  const seen = new Set(before.filter((row) => row.textHash === textHash).flatMap((row) => row.routeKeys));
  return routes.filter((route) => {
    const key = routeKey(route);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function planDelivery(tx: Tx, draft: SessionDraft, cause: string, route: Route, text: string): void {
  const id = tx.ids.next(idPrefix.effect);
  const effectClass = tx.deliveryClass(route.surface);
  const planned = {
    id,
    session: draft.id,
    kind: 'delivery',
    cause,
    class: effectClass,
    route,
    text,
  } as const;
  tx.rows.insert(effects, { ...plannedEffect(tx.now), ...planned, key: id });
  tx.append(draft, { type: 'delivery.planned', body: { effect: id, route, class: effectClass } });
  tx.workChanged();
}

/** The empty fields of a new effect. */
export function plannedEffect(
  now: number,
): Omit<EffectRow, 'id' | 'session' | 'kind' | 'cause' | 'class' | 'key'> {
  return {
    route: null,
    state: 'planned',
    attempt: 0,
    createdAt: now,
    updatedAt: now,
    tool: null,
    input: null,
    facts: null,
    decision: null,
    digest: null,
    prompt: null,
    result: null,
    until: null,
    text: null,
    externalId: null,
  };
}
