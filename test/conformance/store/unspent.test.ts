import { describe, expect } from 'vitest';
import type { StepTerms, Store } from '../../../electron/daemon/events/port.ts';
import { begin, newSession, say, terms, textPart } from '../../store/support/acts.ts';
import { behaviour } from '../store-rig.ts';

/** A step that may take 1,000 tokens and cost $1, of $1.50 a day. */
const own: StepTerms = {
  ...terms,
  reservation: { tokens: 1000, microUsd: 1e6 },
  limits: { dayMicroUsd: 1.5e6, sessionDayTokens: null },
};

describe('a request that its model refused before any work', () => {
  const refused = async (store: Store) => {
    const id = await newSession(store, { name: 'shop', model: 'openai/x' });
    await say(store, id);
    const step = await begin(store, id, own);
    await store.park(id, 'credential_refused', 'No key.', true);
    return { id, step: step.id };
  };
  const today = async (store: Store) => (await store.usageToday()).microUsd;

  behaviour(
    'holds no money while its session is stopped, and is reserved again when it is made again',
    async (rig) => {
      const { id, step } = await refused(rig.store);
      const released = await today(rig.store);
      const store = await rig.crash();
      await store.recoverAll();
      await store.unpark(id);
      const again = await store.nextStep(id, own);
      const reserved = await today(store);
      const twice = [await store.nextStep(id, own), await today(store)];
      await store.recordReply({
        session: id,
        step,
        reply: { model: 'openai/x', parts: [textPart('Here.')], stop: 'end' },
        usage: { inputTokens: 5, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, microUsd: 7 },
        terms: own,
      });
      const request = { kind: 'request', step: expect.objectContaining({ id: step }), repeated: true };
      expect([released, again, reserved, twice, await today(store)]).toEqual([
        0,
        request,
        1e6,
        [request, 1e6],
        7,
      ]);
    },
  );

  behaviour('is held by the limits of the time at which it is made again', async ({ store }) => {
    const { id } = await refused(store);
    const other = await newSession(store, { name: 'other', model: 'openai/x' });
    await say(store, other);
    await begin(store, other, own);
    await store.unpark(id);
    expect([
      await store.nextStep(id, own),
      (await store.session(id))?.parked?.code,
      await today(store),
    ]).toEqual([
      { kind: 'refused', why: 'budget', reason: expect.stringContaining('kairos usage raise') },
      'budget',
      1e6,
    ]);
  });

  behaviour('that was cut instead stays spent', async ({ store }) => {
    const id = await newSession(store, { model: 'openai/x' });
    await say(store, id);
    await begin(store, id, own);
    await store.park(id, 'model_failed', 'Cut.');
    expect(await today(store)).toBe(1e6);
  });
});
