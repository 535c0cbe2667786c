import { type AnyEvent, upcast } from '../../../../shared/domain/events.ts';
import type { EventRecord } from '../rows/records.ts';

/** The event at its present version. */
export function toStoredEvent(record: EventRecord): AnyEvent {
  const { origin, ...rest } = record;
  return upcast(origin === null ? rest : { ...rest, origin });
}
