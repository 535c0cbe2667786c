import { describe, expect } from 'vitest';
import type { StepTerms, Store } from '../../../electron/daemon/events/port.ts';
import type { Usage } from '../../../shared/domain/messages.ts';
import { begin, log, newSession, say, terms, textPart } from '../../store/support/acts.ts';
import { behaviour } from '../store-rig.ts';

const unlimited = { dayMicroUsd: null, sessionDayTokens: null };
/** A step that may take 1,000 tokens and cost $1, under one limit. */
function limited(limits: Partial<StepTerms['limits']>): StepTerms {
  return { ...terms, reservation: { tokens: 1000, microUsd: 1e6 }, limits: { ...unlimited, ...limits } };
}

/** A session with one step that was begun and stands at its reservation, and a message that waits for the next. */
async function spent(store: Store, own: StepTerms, name = 'shop'): Promise<string> {
  const id = await newSession(store, { name, model: 'openai/x' });
  await say(store, id);
  await begin(store, id, own);
  await store.interrupt(id, 'stop');
  await say(store, id);
  return id;
}

const parkedOf = async (store: Store, id: string) => (await store.session(id))?.parked;

describe('a limit that the next step would pass', () => {
  const limits = [
    ['day', { dayMicroUsd: 1.5e6 }, true, 'kairos usage raise 2'],
    ['tokens', { sessionDayTokens: 1500 }, true, 'kairos usage raise 1500 --tokens --session shop'],
    ['session', { sessionMicroUsd: 1.5e6 }, false, 'kairos usage raise 2 --session shop'],
    ['total', { totalMicroUsd: 1.5e6 }, false, 'kairos usage raise 2 --total'],
  ] as const;
  for (const [limit, given, untilMidnight, command] of limits) {
    behaviour(`parks the session, tells the command, and a raise lets it go on: ${limit}`, async (rig) => {
      const own = limited(given);
      const id = await spent(rig.store, own);
      const refused = await rig.store.nextStep(id, own);
      const parked = await parkedOf(rig.store, id);
      expect([refused, await rig.store.runnable()]).toEqual([
        { kind: 'refused', why: 'budget', reason: expect.stringContaining(command) },
        [],
      ]);
      expect(parked).toEqual({
        code: 'budget',
        reason: expect.stringContaining(command),
        at: rig.clock.now(),
        limit,
        ...(untilMidnight ? { until: expect.any(Number) } : {}),
      });
      const store = await rig.reopen();
      const most = Object.values(given)[0] ?? 0;
      const session = limit === 'tokens' || limit === 'session' ? id : null;
      const raised = await store.raiseBudget({ limit, session, by: most, most });
      expect([raised, await parkedOf(store, id), await store.runnable()]).toEqual([
        { most: 2 * most, unparked: [id] },
        null,
        [id],
      ]);
      const after = await rig.reopen();
      expect((await after.nextStep(id, own)).kind).toBe('request');
    });
  }

  behaviour(
    'of the day lets the session go on by itself at the next local midnight, raised for that day only',
    async (rig) => {
      const own = limited({ dayMicroUsd: 1.5e6 });
      const id = await spent(rig.store, own);
      await rig.store.nextStep(id, own);
      const { until = 0 } = (await parkedOf(rig.store, id)) ?? {};
      const midnight = new Date(until);
      expect([midnight.getHours(), midnight.getMinutes(), await rig.store.nextDue()]).toEqual([0, 0, until]);
      rig.clock.advance(until - rig.clock.now() - 1);
      expect([await rig.store.runnable(), (await rig.store.nextStep(id, own)).kind]).toEqual([[], 'refused']);
      rig.clock.advance(1);
      expect([await rig.store.runnable(), (await rig.store.nextStep(id, own)).kind]).toEqual([
        [id],
        'request',
      ]);
      expect((await log(rig.store, id)).slice(-3)).toEqual(['session.unparked', 'turn.began', 'step.began']);
      const dayLimit = async () => (await rig.store.budgetState(own.limits)).limits.dayMicroUsd;
      await rig.store.raiseBudget({ limit: 'day', session: null, by: 1, most: 1.5e6 });
      const raised = await dayLimit();
      rig.clock.advance(25 * 60 * 60 * 1000);
      expect([raised, await dayLimit()]).toEqual([1.5e6 + 1, 1.5e6]);
    },
  );

  behaviour('of a day that turned out to be wrong ends when the clock is set right', async (rig) => {
    const own = limited({ dayMicroUsd: 1.5e6 });
    const right = rig.clock.now();
    rig.clock.set(right + 400 * 24 * 60 * 60 * 1000);
    const id = await spent(rig.store, own);
    await rig.store.nextStep(id, own);
    const ms = right - rig.clock.now();
    rig.clock.set(right);
    await rig.store.shiftDurations({ ms, withinMs: 0, setting: null });
    const { until = 0 } = (await parkedOf(rig.store, id)) ?? {};
    rig.clock.set(until);
    expect([until > right, until - right <= 25 * 60 * 60 * 1000, await rig.store.runnable()]).toEqual([
      true,
      true,
      [id],
    ]);
  });

  behaviour('hit in the middle of a turn leaves the turn open and its message owed', async ({ store }) => {
    const own = limited({ totalMicroUsd: 1.5e6 });
    const id = await newSession(store, { model: 'openai/x' });
    await say(store, id);
    const step = await begin(store, id, own);
    await say(store, id, 'and this');
    const first = await store.recordReply({
      session: id,
      step: step.id,
      reply: {
        model: 'openai/x',
        parts: [{ type: 'call', id: 'c1', tool: 'Bash', input: {} }],
        stop: 'calls',
      },
      usage: { ...noTokens, microUsd: 900_000 },
      terms: own,
    });
    const next = await store.endCall({
      session: id,
      call: 'c1',
      result: { outcome: 'error', output: '' },
      terms: own,
    });
    const row = await store.session(id);
    expect([first.kind, next?.kind, row?.step, row?.turn?.owes.length, row?.parked?.code]).toEqual([
      'calls',
      'refused',
      null,
      1,
      'budget',
    ]);
    await store.raiseBudget({ limit: 'total', session: null, by: 1e6, most: 1.5e6 });
    expect(await store.nextStep(id, own)).toMatchObject({
      kind: 'request',
      step: { n: 2, turn: row?.turn?.id },
    });
  });

  behaviour('stops nothing that is free, and a raise only what it had stopped', async ({ store }) => {
    const own = limited({ dayMicroUsd: 1.5e6 });
    const [shop, other] = [await spent(store, own), await newSession(store, { name: 'other' })];
    await store.nextStep(shop, own);
    await store.park(other, 'crash_loop', 'broken.');
    const free = await newSession(store, { name: 'free' });
    await say(store, free);
    const nothing = { ...own, reservation: { tokens: 0, microUsd: 0 } };
    expect((await store.nextStep(free, nothing)).kind).toBe('request');
    const total = await store.raiseBudget({ limit: 'total', session: null, by: 1, most: 1 });
    expect([
      total.unparked,
      (await parkedOf(store, other))?.code,
      (await parkedOf(store, shop))?.code,
    ]).toEqual([[], 'crash_loop', 'budget']);
  });

  behaviour(
    'asked for again under the same uuid raises once and gives the first answer',
    async ({ store }) => {
      const own = limited({ dayMicroUsd: 1.5e6 });
      const shop = await spent(store, own);
      await store.nextStep(shop, own);
      const input = { limit: 'day', session: null, by: 5, most: 10 } as const;
      const first = await store.raiseBudget({ ...input, uuid: 'one' });
      const again = await store.raiseBudget({ ...input, uuid: 'one' });
      const other = await store.raiseBudget({ ...input, uuid: 'two' });
      expect([first, again, other]).toEqual([
        { most: 15, unparked: [shop] },
        { most: 15, unparked: [shop] },
        { most: 20, unparked: [] },
      ]);
    },
  );

  behaviour('cannot be raised where there is none, and nothing is stored', async ({ store }) => {
    const raise = store.raiseBudget({ limit: 'day', session: null, by: 5, most: null });
    await expect(raise).rejects.toMatchObject({ code: 'bad_input' });
    const state = await store.budgetState({ ...unlimited, dayMicroUsd: 10 });
    expect(state.limits.dayMicroUsd).toBe(10);
  });
});

const noTokens: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  microUsd: 0,
};

describe('a request whose answer was lost with its process', () => {
  behaviour(
    'stays spent, the identical one that follows is reserved anew; calls that were lost cost nothing more',
    async (rig) => {
      const own = limited({});
      const id = await newSession(rig.store, { model: 'openai/x' });
      await say(rig.store, id);
      await begin(rig.store, id, own);
      const store = await rig.crash();
      await store.recoverAll();
      const next = await store.nextStep(id, own);
      if (next.kind !== 'request') throw new Error('no request');
      expect([next.repeated, await store.usageToday()]).toEqual([true, { tokens: 2000, microUsd: 2e6 }]);
      await store.recordReply({
        session: id,
        step: next.step.id,
        reply: { model: '', parts: [{ type: 'call', id: 'c1', tool: 'Bash', input: {} }], stop: 'calls' },
        usage: { ...noTokens, inputTokens: 5, microUsd: 10 },
        terms: own,
      });
      await store.workerLost(id, true);
      expect(await store.usageToday()).toEqual({ tokens: 1005, microUsd: 1_000_010 });
    },
  );

  behaviour('counts nothing for a session that is parked, and nothing for free models', async ({ store }) => {
    const nothing = { ...terms, reservation: { tokens: 0, microUsd: 0 } };
    const [parked, free] = [await newSession(store, { model: 'openai/x' }), await newSession(store)];
    await say(store, parked);
    await say(store, free);
    await begin(store, parked, limited({}));
    await begin(store, free, nothing);
    await store.park(parked, 'credential_refused', 'no key.');
    await store.recoverAll();
    const requests = (await store.usageReport({ sinceDay: '2026-01-01', by: 'purpose' }))[0]?.requests;
    expect([await store.usageToday(), requests]).toEqual([{ tokens: 1000, microUsd: 1e6 }, 2]);
  });
});

describe('requests beside the conversation', () => {
  behaviour('count as reserved until they are settled, and without an answer for good', async ({ store }) => {
    const id = await newSession(store, { model: 'openai/x' });
    const side = {
      session: id,
      purpose: 'memo',
      model: 'openai/x',
      reservation: { tokens: 100, microUsd: 1e6 },
      limits: { ...unlimited, dayMicroUsd: 2e6 },
    } as const;
    const [one, two, three] = [
      await store.beginSide(side),
      await store.beginSide(side),
      await store.beginSide({ ...side, purpose: 'compaction' }),
    ];
    expect([await store.usageToday(), three, (await store.session(id))?.parked]).toEqual([
      { tokens: 200, microUsd: 2e6 },
      { refused: expect.stringMatching(/day's limit of \$2\.00/) },
      null,
    ]);
    if (!('id' in one) || !('id' in two)) throw new Error('refused');
    await store.endSide(id, one.id, { ...noTokens, inputTokens: 7, microUsd: 50 });
    await store.endSide(id, one.id, { ...noTokens, inputTokens: 9, microUsd: 90 });
    await store.endSide(id, two.id, null);
    expect(await store.usageToday()).toEqual({ tokens: 107, microUsd: 1_000_050 });
    await expect(store.endSide(id, 'sid_none', null)).rejects.toMatchObject({ code: 'not_found' });
  });
});

/** Sums of a request whose cost was told, and of one that stands at its reservation. */
const told = {
  requests: 1,
  inputTokens: 1,
  outputTokens: 2,
  cacheReadTokens: 3,
  cacheWriteTokens: 4,
  microUsd: 11,
  reservedTokens: 0,
  reservedMicroUsd: 0,
  unpaid: {},
};
const open = {
  ...Object.fromEntries(Object.keys(told).map((name) => [name, 0])),
  requests: 1,
  reservedTokens: 1000,
  reservedMicroUsd: 1e6,
  unpaid: {},
};

describe('the usage report', () => {
  behaviour(
    'sums by day, session, model, cause and purpose; what was never told stands apart',
    async ({ store, clock }) => {
      const own = limited({});
      const shop = await newSession(store, { name: 'shop', model: 'openai/x' });
      await say(store, shop);
      const step = await begin(store, shop, own);
      await store.recordReply({
        session: shop,
        step: step.id,
        reply: { model: 'anthropic/y', parts: [textPart('x')], stop: 'end' },
        usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, microUsd: 10.2 },
        terms: limited({ dayMicroUsd: 1 }),
      });
      const first = (await store.budgetState(unlimited)).day;
      clock.advance(24 * 60 * 60 * 1000);
      const lost = await newSession(store, { name: 'lost', model: 'openai/x' });
      await say(store, lost, 'tick', { kind: 'tick' });
      await begin(store, lost, own);
      const by = (group: 'day' | 'session' | 'model' | 'cause' | 'purpose') =>
        store.usageReport({ sinceDay: first, by: group });
      const today = (await store.budgetState(unlimited)).day;
      expect([await by('day'), await by('session'), await by('model'), await by('cause')]).toEqual([
        [
          { key: first, ...told },
          { key: today, ...open },
        ],
        [
          { key: lost, ...open },
          { key: shop, ...told },
        ],
        [
          { key: 'openai/x', ...open },
          { key: 'anthropic/y', ...told },
        ],
        [
          { key: 'tick', ...open },
          { key: 'person', ...told },
        ],
      ]);
      const only = await store.usageReport({ sinceDay: today, by: 'purpose', session: lost });
      expect([only, await store.usageReport({ sinceDay: today, by: 'day', session: shop })]).toEqual([
        [{ key: 'step', ...open }],
        [],
      ]);
      expect([await store.lastContextTokens(shop), await store.lastContextTokens(lost)]).toEqual([10, 0]);
    },
  );
});

describe("a session's model", () => {
  behaviour(
    'is changed from the next step on: the frame is made anew, and what it was parked for is over',
    async ({ store }) => {
      const id = await newSession(store);
      const frame = await store.pinFrame(id, 'frame');
      await store.park(id, 'credential_refused', 'no key.');
      const row = await store.setModel(id, 'openai/x');
      expect([row.model, row.frame, row.parked]).toEqual(['openai/x', null, null]);
      expect((await log(store, id)).slice(-2)).toEqual(['session.model_set', 'session.unparked']);
      expect(await store.collectBlobs(-1)).toBe(1);
      expect(await store.blob(frame)).toBeNull();
      await store.park(id, 'crash_loop', 'broken.');
      await store.setModel(id, 'openai/x');
      expect((await store.setModel(id, 'offline')).parked?.code).toBe('crash_loop');
      expect((await log(store, id)).filter((type) => type === 'session.model_set').length).toBe(2);
    },
  );
});
