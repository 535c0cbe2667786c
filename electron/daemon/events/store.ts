import type { KairosError } from '../../../shared/base/errors.ts';
import type { Clock, Ids, Log } from '../../../shared/base/ports.ts';
import type { Boundary } from '../../../shared/domain/boundaries.ts';
import type { EffectClass } from '../../../shared/domain/effects.ts';
import { boundary } from '../../node/boundary.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { CommitQueue } from './commit-queue.ts';
import type { Store, StoreHealth } from './port.ts';
import { collectBlobs } from './blobs/collect-blobs.ts';
import { eventPage, messageStatus } from './reads/messages.ts';
import { dueUntil, nextDue, runnable } from './reads/runnable.ts';
import { summaries } from './reads/summaries.ts';
import { addDay, inOrder, lastContextTokens, type Sums } from './reads/usage-report.ts';
import { toRuleRow, toSessionRow } from './rows/records.ts';
import type { RowStore, Transaction } from './rows/table.ts';
import { blobRefs, devices, effects, events, meta, offers, prompts, rules, trust } from './rows/tables.ts';
import { admitToNewSession, admitWake } from './verbs/admit-wake.ts';
import { beginCall, endCall } from './verbs/calls.ts';
import { decideAnew } from './verbs/decide-anew.ts';
import { addDevice, removeDevices, revokeDevice, seeDevices } from './verbs/devices.ts';
import { finishEffect, startEffect } from './verbs/effects.ts';
import { interrupt } from './verbs/interrupt-session.ts';
import { failTurn } from './verbs/fail-turn.ts';
import { compact, noteContext, noteHook, noteSession } from './verbs/model-context.ts';
import { nextStep } from './verbs/next-step.ts';
import { recordOffer, settleOffer } from './verbs/offers.ts';
import { setMeta, setPaused, setPausedAll } from './verbs/pauses.ts';
import { claimPrompt, expirePrompts, findPrompt } from './verbs/prompts.ts';
import { recordReply } from './verbs/replies.ts';
import { recoverAll, workerLost } from './verbs/recovery.ts';
import { revokeRule, storedRules, storeRule } from './verbs/rules.ts';
import { callsOf } from './verbs/run-at.ts';
import { shiftDurations } from './verbs/shift-durations.ts';
import {
  archive,
  createSession,
  findSession,
  park,
  pinFrame,
  renameSession,
  setMode,
  setBrief,
  setModel,
  unpark,
} from './verbs/sessions.ts';
import { endTask } from './verbs/task-ends.ts';
import { askTrust, listTrusts, revokeTrust, setTrust } from './verbs/trust.ts';
import { beginTask } from './verbs/tasks.ts';
import { budgetState, raiseBudget } from './verbs/budget.ts';
import { localDay, localDays } from './verbs/local-days.ts';
import { beginSide, endSide } from './verbs/sides.ts';
import { spentOn } from './verbs/spent.ts';

/** What both stores are given. */
export interface StoreOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log?: Log;
  /** What a delivery to a surface can promise; default `blind`. */
  readonly deliveryClass?: (surface: string) => EffectClass;
  /** When verbs that were called are committed; default: at the end of this event-loop turn. */
  readonly schedule?: (flush: () => void) => void;
  /** Told before and after the COMMIT of each verb that is a crash point. */
  readonly boundary?: (name: Boundary, side: 'before' | 'after') => void;
}

/** What differs between the stores: where rows and blobs are. */
export interface StoreBase {
  readonly rows: RowStore;
  readonly transaction: Transaction;
  readonly blobs: BlobStore;
  storageFault(error: unknown): KairosError | null;
  committed(): void;
  health(): Pick<StoreHealth, 'schema' | 'databaseBytes' | 'walBytes'>;
  close(): Promise<void>;
}

/** Puts the domain verbs over rows and blobs; `queue` is for those who simulate a crash. */
export function createStore(base: StoreBase, options: StoreOptions): { store: Store; queue: CommitQueue } {
  const { clock, ids, log, deliveryClass = () => 'blind', schedule = setImmediate } = options;
  const queue = new CommitQueue({
    rows: base.rows,
    transaction: base.transaction,
    storageFault: (error) => base.storageFault(error),
    committed: () => base.committed(),
    clock,
    ids,
    log,
    deliveryClass,
    schedule,
    boundary: options.boundary ?? boundary,
  });
  const parts = { base, queue, clock };
  return {
    queue,
    store: {
      ...sessionVerbs(parts),
      ...stepVerbs(parts),
      ...peopleVerbs(parts),
      ...reads(parts),
      ...care(parts),
    },
  };
}

interface Parts {
  readonly base: StoreBase;
  readonly queue: CommitQueue;
  readonly clock: Clock;
}

type SessionVerbs =
  | 'createSession'
  | 'renameSession'
  | 'setMode'
  | 'setModel'
  | 'setBrief'
  | 'setPaused'
  | 'setPausedAll'
  | 'park'
  | 'unpark'
  | 'archive'
  | 'pinFrame';

function sessionVerbs({ base, queue }: Parts): Pick<Store, SessionVerbs> {
  return {
    createSession: (input) => queue.run('createSession', (tx) => createSession(tx, input)),
    renameSession: (id, name) => queue.run('renameSession', (tx) => renameSession(tx, id, name)),
    setMode: (id, mode) => queue.run('setMode', (tx) => setMode(tx, id, mode)),
    setBrief: (id, brief) => queue.run('setBrief', (tx) => setBrief(tx, id, brief)),
    setModel: (id, model) => queue.run('setModel', (tx) => setModel(tx, id, model)),
    setPaused: (id, paused) => queue.run('setPaused', (tx) => setPaused(tx, id, paused)),
    setPausedAll: (paused) => queue.run('setPausedAll', (tx) => setPausedAll(tx, paused)),
    park: (id, code, reason, unspent) => queue.run('park', (tx) => park(tx, id, code, reason, unspent)),
    unpark: (id) => queue.run('unpark', (tx) => unpark(tx, id)),
    archive: (id) => queue.run('archive', (tx) => archive(tx, id)),
    pinFrame: async (id, content) => {
      const hash = await base.blobs.put(Buffer.from(content));
      return queue.run('pinFrame', (tx) => pinFrame(tx, id, hash));
    },
  };
}

type StepVerbs =
  | 'admitWake'
  | 'admitToNewSession'
  | 'nextStep'
  | 'recordReply'
  | 'beginCall'
  | 'endCall'
  | 'beginSide'
  | 'endSide'
  | 'raiseBudget'
  | 'interrupt'
  | 'failTurn'
  | 'compact'
  | 'memo'
  | 'noteContext'
  | 'noteHook'
  | 'beginTask'
  | 'endTask'
  | 'workerLost'
  | 'recoverAll'
  | 'startEffect'
  | 'finishEffect';

function stepVerbs({ base, queue }: Parts): Pick<Store, StepVerbs> {
  return {
    admitWake: (input) => queue.run('admitWake', (tx) => admitWake(tx, input)),
    admitToNewSession: (session, input) =>
      queue.run('admitWake', (tx) => admitToNewSession(tx, session, input)),
    nextStep: (id, terms) => queue.run('nextStep', (tx) => nextStep(tx, id, terms)),
    recordReply: async ({ context, ...input }) => {
      const hash = context === undefined ? null : await base.blobs.put(context);
      return queue.run('recordReply', (tx) => recordReply(tx, { ...input, context: hash }));
    },
    beginCall: (input) => queue.run('beginCall', (tx) => beginCall(tx, input)),
    endCall: (input) => queue.run('endCall', (tx) => endCall(tx, input)),
    beginSide: (side) => queue.run('beginSide', (tx) => beginSide(tx, side)),
    endSide: (session, id, cost) => queue.run('endSide', (tx) => endSide(tx, session, id, cost)),
    raiseBudget: (input) => queue.run('raiseBudget', (tx) => raiseBudget(tx, input)),
    interrupt: (id, reason) => queue.run('interrupt', (tx) => interrupt(tx, id, reason)),
    failTurn: (id, turn, reason) => queue.run('failTurn', (tx) => failTurn(tx, id, turn, reason)),
    compact: (id, input) => queue.run('compact', (tx) => compact(tx, id, input)),
    memo: (id, input) => queue.run('memo', (tx) => noteSession(tx, id, input)),
    noteContext: (id, input) => queue.run('noteContext', (tx) => noteContext(tx, id, input)),
    noteHook: (id, input) => queue.run('noteHook', (tx) => noteHook(tx, id, input)),
    beginTask: (id, task) => queue.run('beginTask', (tx) => beginTask(tx, id, task)),
    endTask: (id, task, end) => queue.run('endTask', (tx) => endTask(tx, id, task, end)),
    workerLost: (id, counts) => queue.run('workerLost', (tx) => workerLost(tx, id, counts)),
    recoverAll: () => queue.run('recoverAll', (tx) => recoverAll(tx)),
    startEffect: (id) => queue.run('startEffect', (tx) => startEffect(tx, id)),
    finishEffect: (input) => queue.run('finishEffect', (tx) => finishEffect(tx, input)),
  };
}

type PeopleVerbs =
  | 'claimPrompt'
  | 'expirePrompts'
  | 'shiftDurations'
  | 'recordOffer'
  | 'settleOffer'
  | 'addRule'
  | 'revokeRule'
  | 'decideAnew'
  | 'askTrust'
  | 'setTrust'
  | 'revokeTrust'
  | 'addDevice'
  | 'revokeDevice'
  | 'seeDevices'
  | 'removeDevices'
  | 'setMeta';

function peopleVerbs({ queue }: Parts): Pick<Store, PeopleVerbs> {
  return {
    claimPrompt: (input) => queue.run('claimPrompt', (tx) => claimPrompt(tx, input)),
    shiftDurations: (change) => queue.run('shiftDurations', (tx) => shiftDurations(tx, change)),
    expirePrompts: () => queue.run('expirePrompts', (tx) => expirePrompts(tx)),
    recordOffer: (offer) => queue.run('recordOffer', (tx) => recordOffer(tx, offer)),
    settleOffer: (prompt, surface) => queue.run('settleOffer', (tx) => settleOffer(tx, prompt, surface)),
    addRule: (rule) => queue.run('addRule', (tx) => storeRule(tx, rule)),
    revokeRule: (rule) => queue.run('revokeRule', (tx) => revokeRule(tx, rule)),
    decideAnew: () => queue.run('decideAnew', (tx) => decideAnew(tx, () => true)),
    askTrust: (question) => queue.run('askTrust', (tx) => askTrust(tx, question)),
    setTrust: (word) => queue.run('setTrust', (tx) => setTrust(tx, word)),
    revokeTrust: (dir, by) => queue.run('revokeTrust', (tx) => revokeTrust(tx, dir, by)),
    addDevice: (device) => queue.run('addDevice', (tx) => addDevice(tx, device)),
    revokeDevice: (device) => queue.run('revokeDevice', (tx) => revokeDevice(tx, device)),
    seeDevices: (ids) => queue.run('seeDevices', (tx) => seeDevices(tx, ids)),
    removeDevices: (ids) => queue.run('removeDevices', (tx) => removeDevices(tx, ids)),
    setMeta: (key, value) => queue.run('setMeta', (tx) => setMeta(tx, key, value)),
  };
}

type Reads =
  | 'session'
  | 'summaries'
  | 'runnable'
  | 'nextDue'
  | 'dueUntil'
  | 'events'
  | 'message'
  | 'calls'
  | 'effect'
  | 'openEffects'
  | 'prompt'
  | 'prompts'
  | 'offers'
  | 'rules'
  | 'allRules'
  | 'trust'
  | 'trusts'
  | 'devices'
  | 'meta'
  | 'usageToday'
  | 'usageReport'
  | 'budgetState'
  | 'lastContextTokens';

function reads({ base, queue, clock }: Parts): Pick<Store, Reads> {
  const { rows } = base;
  const read = async <Answer>(fn: () => Answer): Promise<Answer> => {
    if (queue.crashed) return new Promise(() => undefined);
    queue.requireOpen();
    try {
      return fn();
    } catch (error) {
      throw base.storageFault(error) ?? error;
    }
  };
  return {
    session: (idOrName) =>
      read(() => {
        const found = findSession(rows, idOrName);
        return found && toSessionRow(found);
      }),
    summaries: (filter) => read(() => summaries(rows, clock.now(), filter)),
    runnable: () => read(() => runnable(rows, clock.now())),
    dueUntil: (until) => read(() => dueUntil(rows, clock.now(), until)),
    nextDue: (after) => read(() => nextDue(rows, after ?? clock.now())),
    events: (session, page) => read(() => eventPage(rows, session, page)),
    message: (idOrWake) => read(() => messageStatus(rows, idOrWake)),
    calls: (step) => read(() => callsOf(rows, step)),
    effect: (id) => read(() => rows.get(effects, id)),
    openEffects: () =>
      read(() =>
        rows.find(effects, {
          in: { state: ['planned', 'granted', 'started'], kind: ['delivery', 'notification', 'webhook'] },
        }),
      ),
    prompt: (idOrCode) => read(() => findPrompt(rows, idOrCode)),
    prompts: (filter) => read(() => listPrompts(rows, filter)),
    offers: (filter) => read(() => listOffers(rows, filter)),
    rules: (session) => read(() => storedRules(rows, session)),
    allRules: () => read(() => rows.find(rules, {}).map(toRuleRow)),
    trust: (dir) => read(() => rows.get(trust, dir)),
    trusts: () => read(() => listTrusts(rows)),
    devices: () => read(() => rows.find(devices, {})),
    meta: (key) => read(() => rows.get(meta, key)?.value ?? null),
    usageToday: () => read(() => spentOn(rows, localDay(clock.now()))),
    usageReport: async ({ sinceDay, ...group }) => {
      const sums: Sums = new Map();
      // A read a day: the event loop turns in between.
      for (const day of localDays(sinceDay, clock.now(), mostReportDays)) {
        await read(() => addDay(rows, sums, day, group));
        await new Promise(setImmediate);
      }
      return inOrder(sums, group.by);
    },
    budgetState: (limits) => read(() => budgetState(rows, clock.now(), limits)),
    lastContextTokens: (session) => read(() => lastContextTokens(rows, session)),
  };
}

const mostReportDays = 366;

/** Newest first. */
function listPrompts(rows: RowStore, filter: Parameters<Store['prompts']>[0]) {
  const { state, session, limit } = filter;
  const states = state === 'open' ? (['open'] as const) : (['decided', 'expired', 'withdrawn'] as const);
  return rows.find(prompts, {
    ...(session === undefined ? {} : { eq: { session } }),
    ...(state === undefined ? {} : { in: { state: states } }),
    order: 'newest',
    limit,
  });
}

function listOffers(rows: RowStore, { surface, prompt, untold }: Parameters<Store['offers']>[0]) {
  return rows.find(offers, {
    eq: {
      ...(surface === undefined ? {} : { surface }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(untold === undefined ? {} : { settledTold: !untold }),
    },
  });
}

type Care = 'putBlob' | 'putFile' | 'blob' | 'collectBlobs' | 'onCommit' | 'health' | 'close';

function care({ base, queue, clock }: Parts): Pick<Store, Care> {
  const { rows, blobs } = base;
  return {
    putBlob: (bytes) => blobs.put(bytes),
    putFile: (path, mostBytes) => blobs.putFile(path, mostBytes),
    blob: (hash) => blobs.get(hash),
    collectBlobs: (minAgeMs) => {
      const needed = (hash: string): boolean => rows.find(blobRefs, { eq: { hash }, limit: 1 }).length > 0;
      return collectBlobs(blobs, clock.now() - minAgeMs, needed);
    },
    onCommit: (listener) => queue.onCommit(listener),
    health: async () => {
      queue.requireOpen();
      const last = rows.find(events, { order: 'newest', limit: 1 })[0];
      return { ...base.health(), events: last?.id ?? 0, full: queue.full };
    },
    close: async () => {
      await queue.close();
      await base.close();
    },
  };
}
