import { routeKey, viewersRoute } from '../../../../shared/domain/origin-route.ts';
import { needsSettling } from '../../../../shared/domain/wakes.ts';
import type { Written } from '../ledgers.ts';
import type { EventOf, Facts, Violation } from './facts.ts';

type Received = EventOf<'message.received'>;

/** Stored means received once and settled once; refused means not received. Replies go where their cause came from. */
export function checkMessages(facts: Facts): Violation[] {
  const received = Map.groupBy(facts.of('message.received'), (event) => event.body.message);
  const known = new Set(facts.ledgers.written.map((entry) => entry.message));
  const strangers = facts
    .of('message.received')
    .filter((event) => event.body.kind !== 'task_ended' && !known.has(event.body.message));
  return [
    ...facts.ledgers.written.flatMap((entry) => checkWritten(entry, received.get(entry.message) ?? [])),
    ...strangers.map((event) => `message ${event.body.message} was received, but nobody wrote it`),
    ...facts.of('message.received').flatMap((event) => checkFate(facts, event)),
    ...facts.of('message.settled').flatMap((event) => checkSettled(facts, event)),
    ...checkDeliveryOrder(facts),
  ];
}

function checkWritten(entry: Written, received: readonly Received[]): Violation[] {
  const stored = entry.tries.filter((attempt) => attempt.answer === 'stored');
  const refusedOnly = entry.tries.every(
    (attempt) => attempt.answer === 'refused' && !['closed', 'uuid_taken'].includes(attempt.code),
  );
  const what = `message ${entry.message}`;
  if (received.length > 1) return [`${what} was received ${received.length} times`];
  if (stored.length > 0 && received.length === 0) return [`${what} was acknowledged and is lost`];
  if (refusedOnly && received.length > 0) return [`${what} was refused and is stored`];
  const [event] = received;
  if (!event) return [];
  const { text, route, kind } = event.body;
  const found: Violation[] = [];
  if (text !== entry.text) found.push(`${what} has another text`);
  if (kind !== entry.kind) found.push(`${what} has kind ${kind}`);
  if (routeKey(route) !== entry.routeKey) found.push(`${what} has another route`);
  if (stored.some((attempt) => attempt.session !== event.session))
    found.push(`${what} was acknowledged for another session`);
  return found;
}

/** A text reaches the model once and is settled once, unless its session was archived before. */
function checkFate(facts: Facts, event: Received): Violation[] {
  const { wake, kind, message } = event.body;
  const delivered = facts.of('step.began').filter((step) => step.body.wakes.includes(wake));
  const settled = facts.of('message.settled').filter((each) => each.body.wake === wake);
  const archived = facts.logs.some((log) => log.row.id === event.session && log.row.archivedAt !== null);
  const found: Violation[] = [];
  if (delivered.length > 1) found.push(`message ${message} was given to the model ${delivered.length} times`);
  if (delivered.length === 0 && !archived) found.push(`message ${message} never reached the model`);
  const place = delivered[0]?.body.delivered.find((each) => each.seq === event.seq);
  if (delivered[0] && place?.ref !== event.body.ref)
    found.push(`message ${message} was delivered under another ref`);
  if (settled.length !== (needsSettling(kind) ? 1 : 0))
    found.push(`message ${message} (${kind}) was settled ${settled.length} times`);
  if (settled[0] && settled[0].seq < event.seq) found.push(`message ${message} was settled before it came`);
  return found;
}

function checkSettled(facts: Facts, event: EventOf<'message.settled'>): Violation[] {
  const { turn, by, message, wake } = event.body;
  const received = facts.of('message.received').find((each) => each.body.wake === wake);
  const key = received ? routeKey(received.body.route) : '';
  const sent = facts
    .of('message.sent')
    .filter((each) => each.body.turn === turn && each.body.routes.some((route) => routeKey(route) === key));
  switch (by) {
    case 'reply':
    case 'channel_reply':
      return sent.length > 0 ? [] : [`message ${message} counts as replied, but nothing went to its chat`];
    case 'failure_notice':
      return sent.some((each) => each.body.source === 'notice')
        ? []
        : [`message ${message} counts as told of a failure, but was not`];
    case 'interrupted':
      return sent.some((each) => each.body.source === 'notice')
        ? []
        : [`message ${message} was interrupted and nobody told its sender`];
    case 'nothing_to_say':
      return isSilenced(facts, turn) && received?.body.route.surface !== viewersRoute.surface
        ? []
        : [`message ${message} was passed over in silence without leave`];
  }
}

function isSilenced(facts: Facts, turn: string | null): boolean {
  return facts
    .of('call.ended')
    .some(({ body }) => body.turn === turn && body.tool === 'NoReply' && body.result.outcome === 'ok');
}

/** Messages of one mode, sender and session reach the model in the order in which they came. */
function checkDeliveryOrder(facts: Facts): Violation[] {
  const found: Violation[] = [];
  const delivered = new Map(
    facts
      .of('step.began')
      .flatMap((step) => step.body.wakes.map((wake, index) => [wake, step.id * 1000 + index] as const)),
  );
  const kinds = Map.groupBy(
    facts.of('message.received'),
    (event) => `${event.session} ${event.body.kind} ${event.body.mode} ${event.origin?.trust}`,
  );
  for (const [kind, events] of kinds) {
    if (!kind.includes(' person ')) continue;
    const places = events.flatMap((event) => delivered.get(event.body.wake) ?? []);
    if (places.some((place, index) => index > 0 && place < (places[index - 1] ?? 0)))
      found.push(`messages overtook each other: ${kind}`);
  }
  return found;
}

/** How many chats had heard nothing yet for an answer when this was said. */
function openRoutes(facts: Facts, event: EventOf<'message.sent'>, causes: readonly Received[]): number {
  const answered = facts
    .of('message.sent')
    .filter((each) => each.body.turn === event.body.turn && each.id < event.id);
  const done = new Set(answered.flatMap((each) => each.body.routes.map(routeKey)));
  return new Set(causes.map((each) => routeKey(each.body.route)).filter((key) => !done.has(key))).size;
}

/** The same words go to the same chat once in a turn; a turn is nudged once, and only in brief mode. */
export function checkRepetition(facts: Facts): Violation[] {
  const said = facts
    .of('message.sent')
    .flatMap(({ body }) =>
      body.turn === null ? [] : body.routes.map((route) => `${body.turn} ${routeKey(route)} ${body.text}`),
    );
  const nudged = facts.of('turn.nudged').map((event) => event.body.turn);
  return [
    ...(new Set(said).size === said.length ? [] : ['the same words went to one chat twice in a turn']),
    ...(new Set(nudged).size === nudged.length ? [] : ['a turn was nudged twice']),
    ...nudgedInVain(facts).map((session) => `${session}: a turn was nudged outside of brief mode`),
  ];
}

function nudgedInVain(facts: Facts): string[] {
  const created = facts.of('session.created');
  const brief = new Set(created.filter(({ body }) => body.brief === true).map(({ session }) => session));
  return facts.of('turn.nudged').flatMap(({ session }) => (brief.has(session) ? [] : [session]));
}

/** Messages of people in a session; what is said outside of a turn may concern any of them. */
function ofSession(facts: Facts, session: string): readonly Received[] {
  return facts
    .of('message.received')
    .filter((each) => each.session === session && needsSettling(each.body.kind));
}

/** Every word of the session goes to a chat that its turn owes an answer, or to the viewers when it owes none. */
export function checkRoutes(facts: Facts): Violation[] {
  return facts.of('message.sent').flatMap((event) => {
    const { turn, routes, inReplyTo, source } = event.body;
    const owed = facts
      .of('step.began')
      .filter((step) => step.body.turn === turn && step.id < event.id)
      .flatMap((step) => step.body.wakes);
    const causes = facts
      .of('message.received')
      .filter((each) => owed.includes(each.body.wake) && needsSettling(each.body.kind));
    const keys = (turn === null ? ofSession(facts, event.session) : causes).map((each) =>
      routeKey(each.body.route),
    );
    // Between turns the session may stop for its owner's limits: that is the owner's matter, whoever wrote.
    const isOwners = keys.length === 0 || (turn === null && source === 'notice');
    const allowed = new Set(isOwners ? [...keys, routeKey(viewersRoute)] : keys);
    const astray = routes.filter((route) => !allowed.has(routeKey(route)));
    const found = astray.map(
      (route) =>
        `${event.session}: a ${source} went to ${route.surface} ${route.chat ?? ''}, which did not ask`,
    );
    const cause = causes.find((each) => each.body.ref === inReplyTo);
    const silenced = isSilenced(facts, turn);
    if (source === 'tool' && inReplyTo === null && !silenced && openRoutes(facts, event, causes) > 1)
      found.push(`${event.session}: an answer chose one of several chats by itself`);
    if (cause && routes.some((route) => routeKey(route) !== routeKey(cause.body.route)))
      found.push(`${event.session}: an answer to ${inReplyTo} went elsewhere`);
    return found;
  });
}
