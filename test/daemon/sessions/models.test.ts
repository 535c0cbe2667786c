import { describe, expect, it } from 'vitest';
import { sessionCommands } from '../../../electron/daemon/sessions/commands.ts';
import type { ModelSource } from '../../../electron/daemon/sessions/model-source.ts';
import { offlineOnly } from '../../../electron/daemon/sessions/model-source.ts';
import { budgetLimits, sessionTerms } from '../../../electron/daemon/sessions/session-terms.ts';
import { sideVerbs } from '../../../electron/daemon/sessions/side-verbs.ts';
import { usageCommands } from '../../../electron/daemon/sessions/usage-commands.ts';
import { type ModelChoice, offlineChoice } from '../../../shared/domain/models.ts';
import { parseSettings } from '../../../shared/domain/settings.ts';
import { DaemonRig, terms } from '../support/daemon-rig.ts';
import { RegistryRig } from '../support/registry-rig.ts';

const remote: ModelChoice = {
  ...offlineChoice,
  ref: 'openai/x',
  wire: 'openai',
  model: 'x',
  maxOutputTokens: 1_000,
  price: { input: 1, output: 10, cacheRead: 0, cacheWrite: 0 },
};
const secret = { value: 'secret', version: 3 };
/** One model with a key, and the offline engine. */
const source: ModelSource = {
  ...offlineOnly,
  choice: (ref) => (ref === remote.ref ? remote : offlineOnly.choice(ref)),
  forLease: async (ref) =>
    ref === remote.ref
      ? { kind: 'usable', models: [remote, offlineChoice], secrets: { openai: secret } }
      : offlineOnly.forLease(ref),
  refresh: async (name, version) => ({
    kind: 'fresh',
    credential: { value: name, version: version + 1 },
  }),
};

describe('what a step reserves', () => {
  const limits = { dayMicroUsd: null, sessionDayTokens: null };

  it('follows from the context that the runner tells and the price of the model; offline nothing', async () => {
    const rig = new DaemonRig();
    const make = sessionTerms({ store: rig.store, models: source, limits, policy: 'p' });
    const paid = (await rig.session('paid', { model: 'openai/x' })).id;
    const free = (await rig.session('free')).id;
    const unknown = (await rig.session('unknown', { model: 'gone/x' })).id;
    const reserved = async (session: string, said?: number) => (await make(session, said)).reservation;
    expect([
      await reserved(paid, 500),
      await reserved(paid),
      await reserved(free, 500),
      await reserved(unknown, 500),
    ]).toEqual([
      { tokens: 1_500, microUsd: 10_500 },
      { tokens: 9_000, microUsd: 18_000 },
      { tokens: 0, microUsd: 0 },
      { tokens: 0, microUsd: 0 },
    ]);
  });

  it('is taken from the newest request when the runner says nothing', async () => {
    const rig = new DaemonRig();
    const session = (await rig.session('paid', { model: 'openai/x' })).id;
    await rig.say(session);
    const next = await rig.store.nextStep(session, terms);
    if (next.kind !== 'request') throw new Error('no step');
    await rig.store.recordReply({
      session,
      step: next.step.id,
      reply: { model: 'openai/x', parts: [{ type: 'text', text: 'x' }], stop: 'end' },
      usage: {
        inputTokens: 10,
        outputTokens: 20,
        cacheReadTokens: 40_000,
        cacheWriteTokens: 30,
        microUsd: 1,
      },
      terms,
    });
    const make = sessionTerms({ store: rig.store, models: source, limits, policy: 'p' });
    expect((await make(session)).reservation.tokens).toBe(41_060);
  });

  it('is held against the limits of the settings, in millionths of a dollar', () => {
    const { settings } = parseSettings({ budgets: { dayUsd: 1.5, sessionDayTokens: null, totalUsd: 0 } });
    expect(budgetLimits(settings)).toEqual({
      dayMicroUsd: 1_500_000,
      sessionDayTokens: null,
      sessionMicroUsd: null,
      totalMicroUsd: 0,
    });
  });
});

describe('requests beside the conversation', () => {
  it('reserve by the price of the session, are refused at a limit, and refresh keys through one source', async () => {
    const rig = new DaemonRig();
    const session = (await rig.session('paid', { model: 'openai/x' })).id;
    const limits = { dayMicroUsd: 3_000, sessionDayTokens: null };
    const verbs = sideVerbs({ store: rig.store, limits, models: source });
    const wanted = { purpose: 'memo', contextTokens: 500, maxOutputTokens: 200 } as const;
    const first = await verbs.beginSide(session, wanted);
    const second = await verbs.beginSide(session, wanted);
    if (!('id' in first)) throw new Error('refused');
    await verbs.endSide(session, { id: first.id, usage: null });
    expect([
      second,
      await rig.store.usageToday(),
      await verbs.refreshCredential(session, { name: 'openai', version: 1 }),
    ]).toEqual([
      { refused: expect.stringMatching(/day's limit of \$0\.0030/) },
      { tokens: 700, microUsd: 2_500 },
      { kind: 'fresh', credential: { value: 'openai', version: 2 } },
    ]);
  });
});

describe('a lease', () => {
  it('holds the models and their secrets', async () => {
    const rig = new RegistryRig({ models: source });
    rig.registry.start();
    const session = (await rig.session('paid', { model: 'openai/x' })).id;
    await rig.say(session);
    await rig.settle();
    expect(rig.workers.last.lease(session)).toMatchObject({
      models: [remote, offlineChoice],
      secrets: { openai: secret },
    });
  });

  it('is not made for a model that cannot be used: parked with what to do, and set to another it goes on', async () => {
    const rig = new RegistryRig({ models: source });
    rig.registry.start();
    const session = (await rig.session('shop', { model: 'gone/x' })).id;
    await rig.say(session);
    await rig.settle();
    const before = await rig.store.session(session);
    expect([before?.parked, rig.workers.last.heard.includes('lease'), rig.registry.runningCount]).toEqual([
      {
        code: 'model_unavailable',
        reason:
          'There is no model "gone/x" here. Give the session another one: kairos models set MODEL --session shop',
        at: rig.clock.now(),
      },
      false,
      0,
    ]);
    await rig.store.setModel(session, 'offline');
    await rig.settle();
    expect(rig.workers.last.lease(session).models).toEqual([offlineChoice]);
  });

  it('is replaced when the model is changed in the middle of a turn: the step that runs ends first', async () => {
    const rig = new RegistryRig({ models: source });
    rig.registry.start();
    const { session, worker } = await rig.running('shop');
    await rig.nextStep(worker, session);
    const old = worker.lease(session);
    await rig.store.setModel(session, 'openai/x');
    await rig.settle();
    const released = worker.sent.find((frame) => frame.type === 'release');
    const renewed = rig.workers.last.lease(session);
    expect([released, renewed.lease === old.lease, renewed.models[0]?.ref]).toEqual([
      { type: 'release', session, lease: old.lease, interrupt: false },
      false,
      'openai/x',
    ]);
  });
});

describe('giving a session another model', () => {
  it('is refused for one that cannot be used, and the session keeps its own', async () => {
    const rig = new DaemonRig();
    const { id } = await rig.session('shop');
    const models = {
      ...source,
      checkRef: (ref: string) => ref,
      problem: (ref: string) => (ref === 'a/x' ? 'No key.' : null),
    };
    const fixed = { defaultMode: 'default', defaultDir: '/w', checkDir: async (dir: string) => dir } as const;
    const commands = sessionCommands({ store: rig.store, ids: rig.ids, ...fixed, models });
    await expect(commands.setModel('shop', 'a/x')).rejects.toMatchObject({
      code: 'bad_input',
      message: 'No key.',
    });
    const kept = (await rig.store.session(id))?.model;
    expect([kept, (await commands.setModel('shop', 'openai/x')).model]).toEqual(['offline', 'openai/x']);
  });
});

describe('usage and limits for people', () => {
  const limits = {
    dayMicroUsd: 5_000_000,
    sessionDayTokens: 100,
    sessionMicroUsd: null,
    totalMicroUsd: null,
  };

  it('tell requests whose price is not known, and not those of a model that costs nothing', async () => {
    const rig = new DaemonRig();
    const price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const models = { choice: (ref: string) => ({ ...remote, ref, price: ref === 'free/x' ? price : null }) };
    for (const model of ['free/x', 'unknown/x', 'unknown/y']) {
      const { id } = await rig.session(model.replace('/', '-'), { model });
      await rig.say(id);
      const next = await rig.store.nextStep(id, terms);
      if (next.kind !== 'request') throw new Error('no step');
      await rig.store.recordReply({
        session: id,
        step: next.step.id,
        reply: { model, parts: [{ type: 'text', text: 'x' }], stop: 'end' },
        usage: { inputTokens: 5, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, microUsd: 0 },
        terms,
      });
    }
    const { usage } = usageCommands({ store: rig.store, limits, models });
    const unpriced = async (by: 'model' | 'day') =>
      (await usage({ days: 1, by, session: null })).groups.map((sum) => [sum.key, sum.unpriced]);
    expect([(await unpriced('model')).toSorted(), await unpriced('day')]).toEqual([
      [
        ['free/x', 0],
        ['unknown/x', 1],
        ['unknown/y', 1],
      ],
      [['2026-11-30', 2]],
    ]);
  });

  it('are told by session with names; a limit of a session needs one, and one that is not there cannot be raised', async () => {
    const rig = new DaemonRig();
    const { id } = await rig.session('shop', { model: 'openai/x' });
    await rig.say(id);
    await rig.store.nextStep(id, { ...terms, reservation: { tokens: 5, microUsd: 7 } });
    const { usage, raiseBudget } = usageCommands({ store: rig.store, limits, models: source });
    const answer = await usage({ days: 3, by: 'session', session: 'shop' });
    const codes = await Promise.all(
      [
        raiseBudget({ limit: 'tokens', by: 1 }),
        raiseBudget({ limit: 'session', by: 1, session: 'shop' }),
        raiseBudget({ limit: 'total', by: 1 }),
        raiseBudget({ limit: 'tokens', by: 1, session: 'nobody' }),
        usage({ days: 1, by: 'day', session: 'nobody' }),
      ].map((promise) => promise.then(() => 'done').catch((error: { code: string }) => error.code)),
    );
    expect([answer.groups, answer.sinceDay, answer.limits, answer.spent, codes]).toEqual([
      [expect.objectContaining({ key: id, name: 'shop', reservedTokens: 5, reservedMicroUsd: 7 })],
      '2026-11-28',
      limits,
      { dayMicroUsd: 7, totalMicroUsd: 7 },
      ['bad_input', 'bad_input', 'bad_input', 'not_found', 'not_found'],
    ]);
    expect(await raiseBudget({ limit: 'day', by: 1.25 })).toEqual({ most: 6_250_000, unparked: [] });
    expect((await usage({ days: 1, by: 'day', session: null })).limits.dayMicroUsd).toBe(6_250_000);
  });
});
