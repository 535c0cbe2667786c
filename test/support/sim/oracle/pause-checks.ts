import type { StoredEvent } from '../../../../shared/domain/events.ts';
import type { Facts, SessionLog, Violation } from './facts.ts';

/** Paused means no new step but in a turn that has an owner's direct message. */
export function checkPauses(facts: Facts): Violation[] {
  return facts.logs.flatMap((log) => checkSession(facts, log));
}

function checkSession(facts: Facts, { row, events }: SessionLog): Violation[] {
  const owners = new Set(
    facts
      .of('message.received')
      .filter((event) => event.body.kind === 'person' && event.origin?.trust === 'owner')
      .map((event) => event.body.wake),
  );
  let paused = false;
  const byOwner = new Set<string>();
  const found: Violation[] = [];
  for (const event of events) {
    if (event.type === 'session.paused') paused = true;
    if (event.type === 'session.resumed') paused = false;
    if (event.type !== 'step.began') continue;
    if (event.body.wakes.some((wake) => owners.has(wake))) byOwner.add(event.body.turn);
    if ((paused || pausedAll(facts, event)) && !byOwner.has(event.body.turn))
      found.push(`${row.id}: step ${event.body.step} began while paused`);
  }
  return found;
}

function pausedAll(facts: Facts, event: StoredEvent): boolean {
  return facts.ledgers.pauses.some(
    (pause) => event.id > pause.from && pause.until !== null && event.id <= pause.until,
  );
}
