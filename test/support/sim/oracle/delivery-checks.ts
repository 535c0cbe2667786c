import { routeKey } from '../../../../shared/domain/origin-route.ts';
import type { EventOf, Facts, Violation } from './facts.ts';

type Planned = EventOf<'delivery.planned'>;

/** Each message that leaves the house is delivered by its class: exactly once, or at most once and marked when it is not known. */
export function checkDeliveries(facts: Facts): Violation[] {
  const planned = facts.of('delivery.planned');
  return [
    ...checkPlans(facts),
    ...planned.flatMap((event) => checkOne(facts, event)),
    ...checkOrder(facts, planned),
  ];
}

/** One plan per chat of each message, in the same order. */
function checkPlans(facts: Facts): Violation[] {
  return facts.logs.flatMap(({ row, events }) => {
    const wanted = events.flatMap((event) =>
      event.type === 'message.sent'
        ? event.body.routes.filter((route) => route.surface !== 'viewers').map(routeKey)
        : [],
    );
    const got = events.flatMap((event) =>
      event.type === 'delivery.planned' ? [routeKey(event.body.route)] : [],
    );
    return wanted.join() === got.join() ? [] : [`${row.id}: deliveries do not follow from messages`];
  });
}

function checkOne(facts: Facts, event: Planned): Violation[] {
  const { effect, class: effectClass } = event.body;
  const ends = facts.all.filter(
    (each) =>
      (each.type === 'delivery.done' ||
        each.type === 'delivery.failed' ||
        each.type === 'delivery.uncertain') &&
      each.body.effect === effect,
  );
  const [end] = ends;
  if (!end || ends.length > 1) return [`delivery ${effect} ended ${ends.length} times`];
  const copies = facts.ledgers.arrivals.filter((arrival) => arrival.effect === effect);
  if (copies.length > 1) return [`delivery ${effect} (${effectClass}) arrived ${copies.length} times`];
  if (end.type === 'delivery.done' && copies.length === 0)
    return [`delivery ${effect} counts as done and did not arrive`];
  if (end.type === 'delivery.done' && copies[0]?.id !== end.body.externalId)
    return [`delivery ${effect} has a wrong id`];
  if (end.type === 'delivery.failed' && copies.length > 0)
    return [`delivery ${effect} (${effectClass}) counts as failed and arrived`];
  return [];
}

/** In each chat, messages arrive in the order in which they were said. */
function checkOrder(facts: Facts, planned: readonly Planned[]): Violation[] {
  const place = new Map(planned.map((event, index) => [event.body.effect, index]));
  const chats = Map.groupBy(facts.ledgers.arrivals, (arrival) => `${arrival.platform} ${arrival.chat}`);
  return [...chats].flatMap(([chat, arrivals]) => {
    const places = arrivals.map((arrival) => place.get(arrival.effect) ?? -1);
    if (places.includes(-1)) return [`something arrived in ${chat} that was never planned`];
    return places.some((each, index) => index > 0 && each < (places[index - 1] ?? 0))
      ? [`messages overtook each other in ${chat}`]
      : [];
  });
}
