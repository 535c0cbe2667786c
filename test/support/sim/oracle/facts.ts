import type { Store } from '../../../../electron/daemon/events/port.ts';
import type { PromptRow, RuleRow, SessionRow } from '../../../../electron/daemon/events/rows.ts';
import {
  type EventBody,
  type EventType,
  eventBodies,
  isKnownEvent,
  type StoredEvent,
} from '../../../../shared/domain/events.ts';
import type { UsageSum } from '../../../../electron/daemon/events/usage-port.ts';
import { localDay } from '../../../../electron/daemon/events/verbs/local-days.ts';
import type { Ledgers } from '../ledgers.ts';
import type { Plan } from '../plan.ts';
import type { World } from '../world.ts';

export type EventOf<Type extends EventType> = Extract<StoredEvent, { type: Type }> & {
  readonly body: EventBody<Type>;
};

/** The log of one session as `kairos export` gives it. */
export interface SessionLog {
  readonly row: SessionRow;
  readonly events: readonly StoredEvent[];
}

/** Everything the oracle judges by: logs and ledgers. */
export interface Facts {
  readonly plan: Plan;
  readonly logs: readonly SessionLog[];
  /** All events in the order of their ids. */
  readonly all: readonly StoredEvent[];
  readonly prompts: ReadonlyMap<string, PromptRow>;
  readonly rules: readonly RuleRow[];
  readonly ledgers: Ledgers;
  /** What usage says of all days. */
  readonly usage: readonly UsageSum[];
  /** What counts towards the limit over all time, in millionths of a dollar. */
  readonly spent: number;
  /** The plan has a limit. */
  readonly limited: boolean;
  /** Events of one type, of all sessions. */
  of<Type extends EventType>(type: Type): readonly EventOf<Type>[];
}

/** One sentence about what may never happen. */
export type Violation = string;

/** No schedule lasts longer. */
const mostDaysMs = 60 * 24 * 3_600_000;

/** Reads the logs of every session to their ends. */
export async function gatherFacts(world: World, store: Store): Promise<Facts> {
  const rows = [
    ...(await store.summaries({ archived: false })),
    ...(await store.summaries({ archived: true })),
  ];
  const logs: SessionLog[] = [];
  for (const { session } of rows) logs.push({ row: session, events: await readLog(store, session.id) });
  const all = logs.flatMap((log) => log.events).sort((left, right) => left.id - right.id);
  const byType = Map.groupBy(all, (event) => event.type);
  const prompts = [
    ...(await store.prompts({ state: 'open', limit: 1000 })),
    ...(await store.prompts({ state: 'closed', limit: 1000 })),
  ];
  return {
    plan: world.plan,
    logs,
    all,
    prompts: new Map(prompts.map((prompt) => [prompt.id, prompt])),
    rules: (
      await Promise.all([null, ...rows.map(({ session }) => session.id)].map((id) => store.rules(id)))
    ).flat(),
    ledgers: world.ledgers,
    usage: await store.usageReport({ sinceDay: localDay(world.time.wall - mostDaysMs), by: 'purpose' }),
    spent: (await store.budgetState({ dayMicroUsd: null, sessionDayTokens: null })).spent.totalMicroUsd,
    limited: world.plan.budgets.dayUsd !== null || world.plan.budgets.sessionDayTokens !== null,
    of: <Type extends EventType>(type: Type) =>
      (byType.get(type) ?? []) as unknown as readonly EventOf<Type>[],
  };
}

async function readLog(store: Store, session: string): Promise<StoredEvent[]> {
  const log: StoredEvent[] = [];
  for (;;) {
    const page = await store.events(session, { after: log.at(-1)?.seq ?? 0, limit: 1000 });
    log.push(...page);
    if (page.length < 1000) return log;
  }
}

/** True when the event is of a known type with a valid body. */
export function isValid(event: StoredEvent): boolean {
  return isKnownEvent(event) && eventBodies[event.type].safeParse(event.body).success;
}
