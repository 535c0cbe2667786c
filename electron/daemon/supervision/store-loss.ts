import * as z from 'zod/mini';
import { errorMessage } from '../../../shared/base/errors.ts';
import type { Clock, Log } from '../../../shared/base/ports.ts';
import type { ProblemPort } from '../../../shared/domain/problems.ts';
import type { Store } from '../events/port.ts';

/** What telling a loss works with; `lostEvents` as the opened store found it. */
export interface LossPorts {
  readonly store: Pick<Store, 'meta' | 'setMeta'>;
  readonly lostEvents: number;
  readonly problems: ProblemPort;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

const lossKey = 'store_loss';
const lossSchema = z.object({ at: z.number(), events: z.number() });
/** A loss is told for so long after it was noticed last. */
const toldForMs = 7 * 24 * 60 * 60 * 1000;

/** Tells that stored events are gone, also after later starts, for a week. Never rejects. */
export async function tellStoreLoss(ports: LossPorts): Promise<void> {
  const { lostEvents, problems, clock, log } = ports;
  try {
    const before = await knownLoss(ports);
    const loss = lostEvents > 0 ? { at: clock.now(), events: lostEvents + (before?.events ?? 0) } : before;
    if (loss === null) return;
    problems.set('store_lost', lossText(loss), lossNext);
    if (lostEvents === 0) return;
    log.error({ lostEvents }, 'stored events are missing at the end of the store');
    await ports.store.setMeta(lossKey, JSON.stringify(loss));
  } catch (error) {
    log.error({ reason: errorMessage(error) }, 'a loss of events could not be stored');
  }
}

type Loss = z.infer<typeof lossSchema>;

async function knownLoss({ store, clock }: LossPorts): Promise<Loss | null> {
  const text = await store.meta(lossKey);
  if (text === null) return null;
  const loss = lossSchema.parse(JSON.parse(text));
  return Math.abs(clock.now() - loss.at) < toldForMs ? loss : null;
}

function lossText({ at, events }: Loss): string {
  const what = events === 1 ? 'The newest stored event is' : `The newest ${events} stored events are`;
  return `${what} lost: the database or its log was damaged or replaced by an older one (noticed ${new Date(at).toISOString()}).`;
}

const lossNext =
  'Look at what the last sessions did. A newer backup can be put back (kairos restore FOLDER --replace); this is told for a week.';
