import type { Core } from '../../../electron/daemon/compose.ts';
import type { MemoryStore } from '../../../electron/daemon/events/memory/memory-store.ts';
import type { StepTerms } from '../../../electron/daemon/events/port.ts';
import type { EffectRow, PromptRow } from '../../../electron/daemon/events/rows.ts';
import { grantedBy } from '../../../electron/worker/agent/granted.ts';
import { viewersRoute } from '../../../shared/domain/origin-route.ts';
import type { Sabotage, World } from './world.ts';

/** A deliberate fault, and what the oracle has to say about it. */
export interface NamedSabotage {
  readonly title: string;
  readonly sabotage: Sabotage;
  readonly notices: RegExp;
}

type StoreFault = (store: MemoryStore, world: World) => Partial<MemoryStore>;

function store(title: string, notices: RegExp, fault: StoreFault): NamedSabotage {
  return { title, notices, sabotage: { store: (real, world) => ({ ...real, ...fault(real, world) }) } };
}

/** Rows of the disk that a fault tampers with. */
function tamper(world: World, table: string, change: (row: EffectRow) => EffectRow): void {
  const entries = world.disk.shelves.get(table)?.entries ?? new Map();
  for (const [key, entry] of entries)
    entries.set(key, { ...entry, row: change(entry.row as unknown as EffectRow) });
}

/** What recovery books for requests whose answers were lost is taken back. */
const forgetful: StoreFault = (real, world) => {
  const undone = async <Answer>(verb: () => Promise<Answer>): Promise<Answer> => {
    const sums = world.disk.shelves.get('usage_days')?.entries;
    const before = new Map(sums);
    const answer = await verb();
    for (const [key, entry] of before) sums?.set(key, entry);
    return answer;
  };
  return {
    workerLost: (session, counts) => undone(() => real.workerLost(session, counts)),
    recoverAll: () => undone(() => real.recoverAll()),
  };
};

/** Terms without one of the limits. */
function unlimited(limit: 'dayMicroUsd' | 'sessionDayTokens'): StoreFault {
  const free = (terms: StepTerms): StepTerms => ({ ...terms, limits: { ...terms.limits, [limit]: null } });
  return (real) => ({
    nextStep: (session, terms) => real.nextStep(session, free(terms)),
    recordReply: (input) => real.recordReply({ ...input, terms: free(input.terms) }),
    beginCall: (input) => real.beginCall({ ...input, terms: free(input.terms) }),
    endCall: (input) => real.endCall({ ...input, terms: free(input.terms) }),
  });
}

const unasked: Sabotage['tools'] = (tools) => ({
  ...tools,
  prepare: async (call) => {
    const prepared = await tools.prepare(call);
    if (prepared.kind === 'ready' && prepared.facts.access === 'command') {
      await tools.execute(grantedBy({ kind: 'granted' }, call, prepared.facts), new AbortController().signal);
    }
    return prepared;
  },
});

const twice: Sabotage['tools'] = (tools) => ({
  ...tools,
  execute: async (granted, signal) => {
    await tools.execute(granted, signal);
    return tools.execute(granted, signal);
  },
});

const deaf = (core: Core, world: World): void => {
  const { registry } = core;
  const pump = registry.pump.bind(registry);
  registry.pump = () => {
    if (world.random.chance(0.5)) pump();
  };
};

/** One deliberate fault for each promise of the spine. */
export const sabotages: readonly NamedSabotage[] = [
  {
    title: 'a tool that runs before it is granted',
    notices: /ran before its decision|ran unasked|was run 2 times|denied and ran/,
    sabotage: { tools: unasked },
  },
  {
    title: 'a tool that takes effect twice',
    notices: /took effect 2 times|was run 2 times/,
    sabotage: { tools: twice },
  },
  {
    title: 'a registry that sleeps through half of its calls',
    notices: /came to its end|never reached/,
    sabotage: { core: deaf },
  },
  {
    title: 'a platform that is believed to know repetitions',
    notices: /arrived \d+ times/,
    sabotage: { deliveryClass: (name) => (name === 'readback' ? 'keyed' : name) },
  },
  {
    title: 'a blind message that is sent again',
    notices: /arrived \d+ times/,
    sabotage: { deliveryClass: (name) => (name === 'blind' ? 'keyed' : name) },
  },
  store('a verdict that is accepted twice', /accepted \d verdicts|could not be answered/, (real) => ({
    claimPrompt: async (input) => {
      const claimed = await real.claimPrompt(input);
      return claimed.outcome === 'already_answered' ? { ...claimed, outcome: 'accepted' } : claimed;
    },
  })),
  store(
    'a call of unknown outcome that is run again after its worker died',
    /was run 2 times|took effect 2 times|began twice|arrived 2 times/,
    (real, world) => ({
      workerLost: async (session, counts) => {
        tamper(world, 'effects', (row) =>
          row.session === session && row.state === 'started' && row.until === null
            ? { ...row, class: 'pure' }
            : row,
        );
        return real.workerLost(session, counts);
      },
    }),
  ),
  store(
    'a boot that recovers nothing',
    /never ended|was parked|came to its end|ran \d times|count as spent|the daemon spins/,
    () => ({
      recoverAll: async () => [],
    }),
  ),
  store('a message that is stored as often as it is sent', /was received 2 times/, (real, world) => ({
    admitWake: (input) =>
      real.admitWake({ ...input, dedupeKey: `${input.dedupeKey} ${world.random.bits()}` }),
  })),
  store('a message that is acknowledged before it is stored', /is lost/, (real) => ({
    admitWake: async (input) => {
      if (input.kind === 'person') return real.admitWake(input);
      void real.admitWake(input);
      return { duplicate: false, wake: { session: input.session } as never };
    },
  })),
  store('deliveries in the wrong order', /overtook/, (real) => ({
    openEffects: async () => [...(await real.openEffects())].reverse(),
  })),
  store(
    'a denied call that is granted',
    /ran unasked|not allowed as shown|is forbidden and ran|names Kairos/,
    (real) => ({
      beginCall: (input) =>
        real.beginCall(
          input.plan.do === 'end' && input.plan.result.outcome === 'denied'
            ? { ...input, plan: { do: 'grant' } }
            : input,
        ),
    }),
  ),
  store('a question that nobody is asked', /ran unasked/, (real) => ({
    beginCall: (input) =>
      real.beginCall(
        input.plan.do === 'ask' && input.facts.access === 'command'
          ? { ...input, plan: { do: 'grant' } }
          : input,
      ),
  })),
  store(
    'an answer that goes to the viewers whoever asked',
    /did not ask|nothing went to its chat|went elsewhere/,
    (real) => ({
      beginCall: (input) =>
        real.beginCall(
          input.plan.do === 'send'
            ? {
                ...input,
                plan: { ...input.plan, message: { ...input.plan.message, routes: [viewersRoute] } },
              }
            : input,
        ),
    }),
  ),
  store('a pause that does not pause', /began while paused/, () => ({ setPausedAll: async () => undefined })),
  store('a context that forgets how calls ended', /another context|without its result/, (real) => ({
    events: async (session, page) =>
      (await real.events(session, page)).filter(
        (event) => event.type !== 'call.ended' || event.seq % 5 !== 0,
      ),
  })),
  store('an allow of what was not shown whole', /not shown whole/, (real) => ({
    recordOffer: (offer) => real.recordOffer({ ...offer, shown: 1_000_000 }),
  })),
  store('an allow of one call that holds for all like it', /ran unasked/, (real, world) => ({
    beginCall: ({ basis: _basis, ...input }) => real.beginCall(input),
    rules: async () =>
      [...(world.disk.shelves.get('prompts')?.entries.values() ?? [])].flatMap(({ row }) => {
        const { id, verdict, ruleSubject } = row as unknown as PromptRow;
        if (verdict?.behavior !== 'allow' || !ruleSubject) return [];
        const rule = {
          id,
          effect: 'allow',
          source: 'always',
          session: null,
          createdAt: 0,
          by: null,
        } as const;
        return [{ ...rule, ...ruleSubject }];
      }),
  })),
  store(
    'a delivery that is not written down as done',
    /arrived \d+ times|ended 0 times|came to its end/,
    (real, world) => ({
      finishEffect: (input) =>
        input.state === 'done'
          ? real.finishEffect({ ...input, state: 'planned', notBefore: world.time.wall + 60_000 })
          : real.finishEffect(input),
    }),
  ),
  store('an interrupt that only stops the worker', /interrupts were confirmed/, () => ({
    interrupt: async () => true,
  })),
  store(
    'a prompt that is offered, but not written down',
    /could not be answered|was not offered|accepted a verdict/,
    (real) => ({
      recordOffer: (offer) => (offer.surface === 'viewers' ? Promise.resolve() : real.recordOffer(offer)),
    }),
  ),
  store('a reply that counts as free', /only \d+ count as spent/, (real) => ({
    recordReply: (input) => real.recordReply({ ...input, usage: { ...input.usage, microUsd: 0 } }),
  })),
  store('a summary that counts as free', /only \d+ count as spent/, (real) => ({
    endSide: (session, id, usage) => real.endSide(session, id, usage && { ...usage, microUsd: 0 }),
  })),
  store('a lost request that is forgotten', /only \d+ count as spent|were spent, usage has/, forgetful),
  store('a limit that nobody looks at', /passed the limit of its day/, unlimited('dayMicroUsd')),
  store('a limit of tokens that nobody looks at', /passed the tokens of its/, unlimited('sessionDayTokens')),
  store('a raise that raises nothing', /the limit went from/, () => ({
    raiseBudget: async ({ by, most }) => ({ most: (most ?? 0) + by, unparked: [] }),
  })),
  store('a task that begins unwritten', /ran and was stored 0 times/, () => ({ beginTask: async () => 1 })),
  store('a task whose end nobody is told', /ended by itself, the log says stopped/, (real) => ({
    endTask: (session, task, end) => real.endTask(session, task, { ...end, how: 'stopped' }),
  })),
  store('a task that is said to have ended when its worker died', /counts as exited and/, (real) => ({
    workerLost: async (session, counts) => {
      const row = await real.session(session);
      for (const { id } of row?.tasks?.running ?? [])
        await real.endTask(session, id, { how: 'exited', code: 0, signal: null, tail: '', bytes: 0 });
      return real.workerLost(session, counts);
    },
  })),
  store('a compaction that is used and not stored', /another context/, (real) => ({
    compact: async (session) => (await real.session(session))?.seq ?? 0,
  })),
  store('a restart that tells the model another summary', /another context/, (real) => ({
    session: async (id) => {
      const row = await real.session(id);
      return row?.compaction ? { ...row, compaction: { ...row.compaction, text: 'Nothing was said.' } } : row;
    },
  })),
  store('an alarm that never rings', /came to its end|still due/, () => ({ nextDue: async () => null })),
];
