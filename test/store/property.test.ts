import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredEvent } from '../../shared/domain/events.ts';
import type { Store } from '../../electron/daemon/events/port.ts';
import { openMemoryRig, openSqliteRig, type Rig } from '../conformance/store-rig.ts';
import { newSession } from './support/acts.ts';
import { type Act, anyAct, perform } from './support/random-acts.ts';

interface Run {
  readonly answers: unknown[];
  readonly logs: readonly (readonly StoredEvent[])[];
  readonly rows: unknown;
}

/** What a store answered to each act (faults by their code) and what it holds in the end. */
async function play(rig: Rig, acts: readonly Act[]): Promise<Run> {
  const sessions = [await newSession(rig.store), await newSession(rig.store)];
  const answers: unknown[] = [];
  for (const [n, act] of acts.entries()) {
    const answer = await perform(rig, sessions, act, n).catch(
      (error: { code?: string; message: string }) => ({
        code: error.code ?? error.message,
      }),
    );
    answers.push(answer, await rig.store.runnable(), await rig.store.nextDue());
  }
  const logs = await Promise.all(sessions.map((id) => rig.store.events(id, { after: 0, limit: 1000 })));
  return { answers, logs, rows: await rowsOf(rig.store) };
}

async function rowsOf(store: Store): Promise<unknown> {
  return [
    await store.summaries(),
    await store.prompts({ limit: 100 }),
    await store.openEffects(),
    await store.rules(null),
    await store.usageToday(),
  ];
}

const callOf = (event: StoredEvent): string => ('call' in event.body ? String(event.body.call) : '');

/** What must hold of every log, whatever happened. */
function brokenRules(log: readonly StoredEvent[]): string[] {
  const broken: string[] = [];
  if (log.some((event, index) => event.seq !== index + 1)) broken.push('the numbers have a gap');
  const settled = log.flatMap((event) => (event.type === 'message.settled' ? [event.body.wake] : []));
  if (new Set(settled).size !== settled.length) broken.push('a message is settled twice');
  const ended = log.filter(({ type }) => type === 'call.ended').map(callOf);
  if (new Set(ended).size !== ended.length) broken.push('a call ended twice');
  const began = log.filter((event) => event.type === 'call.began' && event.body.class !== 'pure').map(callOf);
  if (new Set(began).size !== began.length) broken.push('a call that is not pure began twice');
  const turns = log
    .filter(({ type }) => type === 'turn.began' || type === 'turn.ended')
    .map(({ type }) => type);
  if (turns.some((type, index) => type !== (index % 2 === 0 ? 'turn.began' : 'turn.ended')))
    broken.push('turns overlap');
  const delivered = log.flatMap((event) => (event.type === 'step.began' ? event.body.wakes : []));
  if (new Set(delivered).size !== delivered.length) broken.push('a message entered two steps');
  return broken;
}

/** After its turn a message that was taken is settled, and nothing the model asked for is without a result. */
function unfinished(log: readonly StoredEvent[]): string[] {
  if (
    log.findLastIndex(({ type }) => type === 'turn.began') >
    log.findLastIndex(({ type }) => type === 'turn.ended')
  )
    return [];
  const settled = new Set(
    log.flatMap((event) => (event.type === 'message.settled' ? [event.body.wake] : [])),
  );
  const owed = log.flatMap((event) =>
    event.type === 'message.received' && (event.body.kind === 'person' || event.body.kind === 'channel')
      ? [event.body.wake]
      : [],
  );
  const taken = new Set(log.flatMap((event) => (event.type === 'step.began' ? event.body.wakes : [])));
  const ended = new Set(log.filter(({ type }) => type === 'call.ended').map(callOf));
  const asked = log.flatMap((event) =>
    event.type === 'step.replied'
      ? event.body.reply.parts.flatMap((part) => (part.type === 'call' ? [part.id] : []))
      : [],
  );
  return [
    ...owed.filter((wake) => taken.has(wake) && !settled.has(wake)),
    ...asked.filter((call) => !ended.has(call)),
  ];
}

test('whatever happens, the log stays sound, and memory and SQLite tell the same story', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 5, maxLength: 60 }), async (acts) => {
      const [memory, sqlite] = [await openMemoryRig(), await openSqliteRig()];
      try {
        const [left, right] = [await play(memory, acts), await play(sqlite, acts)];
        expect(right).toEqual(left);
        expect(left.logs.map(brokenRules)).toEqual([[], []]);
        expect(left.logs.map(unfinished)).toEqual([[], []]);
      } finally {
        await memory.close();
        await sqlite.close();
      }
    }),
    { numRuns: Number(process.env.KAIROS_STORE_RUNS ?? 60) },
  );
});

test('in memory alone many more sequences keep the log sound', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 20, maxLength: 150 }), async (acts) => {
      const { logs } = await play(await openMemoryRig(), acts);
      expect([logs.map(brokenRules), logs.map(unfinished)]).toEqual([
        [[], []],
        [[], []],
      ]);
    }),
    { numRuns: Number(process.env.KAIROS_STORE_RUNS ?? 300) },
  );
});
