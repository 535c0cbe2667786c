import type { Store } from '../../electron/daemon/events/port.ts';

/** Everything that a store shows, as plain JSON. */
export async function lookAt(store: Store): Promise<unknown> {
  const sessions = [...(await store.summaries()), ...(await store.summaries({ archived: true }))];
  const logs: Record<string, unknown> = {};
  for (const { session } of sessions) {
    logs[session.id] = {
      events: await store.events(session.id, { after: 0, limit: 1000 }),
      calls: session.step ? await store.calls(session.step.id) : [],
    };
  }
  const seen = {
    sessions,
    logs,
    prompts: await store.prompts({ limit: 100 }),
    offers: await store.offers({}),
    openEffects: await store.openEffects(),
    rules: await store.rules(null),
    devices: await store.devices(),
    meta: await store.meta('key'),
    message: await store.message('uuid-1'),
    usage: await store.usageToday(),
    runnable: await store.runnable(),
    nextDue: await store.nextDue(),
  };
  return JSON.parse(JSON.stringify(seen)) as unknown;
}
