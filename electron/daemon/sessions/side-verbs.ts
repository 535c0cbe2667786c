import { KairosError } from '../../../shared/base/errors.ts';
import { type BudgetLimits, noReservation, reservationFor } from '../../../shared/domain/budget.ts';
import type { LinkInput, LinkOutput } from '../../../shared/protocol/worker-link.ts';
import type { Store } from '../events/port.ts';
import type { ModelSource } from './model-source.ts';

/** What these verbs work with. */
export interface SidePorts {
  readonly store: Store;
  readonly limits: BudgetLimits;
  readonly models: Pick<ModelSource, 'choice' | 'refresh'>;
}

type SideVerb = 'beginSide' | 'endSide' | 'refreshCredential';
type SideVerbs = {
  readonly [Verb in SideVerb]: (session: string, input: LinkInput<Verb>) => Promise<LinkOutput<Verb>>;
};

/** Requests beside the conversation, and keys that were refused. */
export function sideVerbs(ports: SidePorts): SideVerbs {
  return {
    beginSide: (session, input) => beginSide(ports, session, input),
    endSide: async (session, { id, usage }) => {
      await ports.store.endSide(session, id, usage);
      return {};
    },
    refreshCredential: (_session, { name, version }) => ports.models.refresh(name, version),
  };
}

async function beginSide(
  { store, models, limits }: SidePorts,
  session: string,
  { purpose, contextTokens, maxOutputTokens }: LinkInput<'beginSide'>,
): Promise<LinkOutput<'beginSide'>> {
  const row = await store.session(session);
  if (!row) throw new KairosError('stale', `The session ${session} is gone.`);
  const choice = models.choice(row.model);
  const reservation = choice ? reservationFor(choice, contextTokens, maxOutputTokens) : noReservation;
  return store.beginSide({ session, purpose, model: row.model, reservation, limits });
}
