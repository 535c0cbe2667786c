import type { DeviceRow, EffectRow, OfferRow, PromptRow, TrustRow, UsageRow } from '../rows.ts';
import type {
  BlobRefRecord,
  EventRecord,
  MetaRecord,
  RuleRecord,
  SentRecord,
  SessionRecord,
  UsageDayRecord,
  WakeRecord,
} from './records.ts';
import type { Table } from './table.ts';

/** One row per session, with its open turn and step. */
export const sessions: Table<SessionRecord> = {
  name: 'sessions',
  key: ['id'],
  columns: {
    id: 'text',
    name: 'text',
    kind: 'text',
    workerType: 'text',
    parent: 'text',
    dir: 'text',
    mode: 'text',
    model: 'text',
    createdAt: 'int',
    lastActivity: 'int',
    archivedAt: 'int',
    seq: 'int',
    nextRef: 'int',
    paused: 'bool',
    parked: 'json',
    turn: 'json',
    step: 'json',
    frame: 'text',
    context: 'text',
    crash: 'json',
    runAt: 'int',
    inTurn: 'bool',
    pendingTexts: 'int',
    openPrompts: 'int',
    sleepingUntil: 'int',
    turnFacts: 'json',
    replySeq: 'int',
    decideAnew: 'text',
    brief: 'bool',
    compaction: 'json',
    memo: 'json',
    tasks: 'json',
    todos: 'json',
    budget: 'json',
    rules: 'json',
    sandbox: 'text',
  },
  lookups: [['name'], ['inTurn']],
};

/** The append-only log; seq is gapless per session. */
export const events: Table<EventRecord> = {
  name: 'events',
  key: ['session', 'seq'],
  rowColumn: 'id',
  columns: {
    id: 'int',
    session: 'text',
    seq: 'int',
    at: 'int',
    type: 'text',
    v: 'int',
    origin: 'json',
    body: 'json',
  },
  lookups: [['session']],
};

/** The inbox. */
export const wakes: Table<WakeRecord> = {
  name: 'wakes',
  key: ['id'],
  columns: {
    id: 'text',
    session: 'text',
    kind: 'text',
    mode: 'text',
    origin: 'json',
    route: 'json',
    dedupeKey: 'text',
    state: 'text',
    createdAt: 'int',
    availableAt: 'int',
    message: 'text',
    ref: 'text',
    seq: 'int',
    call: 'text',
    turn: 'text',
    text: 'bool',
    direct: 'bool',
    settledBy: 'text',
  },
  lookups: [['session', 'state'], ['dedupeKey'], ['message'], ['state']],
};

/** The journal of calls and deliveries. */
export const effects: Table<EffectRow> = {
  name: 'effects',
  key: ['id'],
  columns: {
    id: 'text',
    session: 'text',
    kind: 'text',
    cause: 'text',
    class: 'text',
    key: 'text',
    route: 'json',
    state: 'text',
    attempt: 'int',
    createdAt: 'int',
    updatedAt: 'int',
    tool: 'text',
    input: 'json',
    facts: 'json',
    decision: 'json',
    digest: 'text',
    prompt: 'text',
    result: 'json',
    until: 'int',
    text: 'json',
    externalId: 'text',
  },
  lookups: [['cause'], ['state']],
};

/** Questions to people. */
export const prompts: Table<Omit<PromptRow, 'previewCut'>> = {
  name: 'prompts',
  key: ['id'],
  columns: {
    id: 'text',
    code: 'text',
    kind: 'text',
    state: 'text',
    session: 'text',
    sessionName: 'text',
    call: 'text',
    tool: 'text',
    headline: 'text',
    description: 'json',
    preview: 'json',
    options: 'json',
    multiple: 'bool',
    rule: 'json',
    dir: 'text',
    createdAt: 'int',
    expiresAt: 'int',
    verdict: 'json',
    by: 'json',
    digest: 'text',
    ruleSubject: 'json',
    origin: 'json',
    risks: 'json',
    reason: 'text',
  },
  lookups: [['code'], ['session', 'state'], ['state']],
};

/** Showings of prompts. */
export const offers: Table<OfferRow> = {
  name: 'offers',
  key: ['prompt', 'surface'],
  columns: {
    prompt: 'text',
    surface: 'text',
    offeredAt: 'int',
    shown: 'int',
    settledTold: 'bool',
    externalId: 'text',
  },
  lookups: [['prompt'], ['surface']],
};

/** Rules that people gave by `always` or `session`. */
export const rules: Table<RuleRecord> = {
  name: 'rules',
  key: ['id'],
  columns: {
    id: 'text',
    effect: 'text',
    tool: 'text',
    subject: 'json',
    source: 'text',
    session: 'text',
    createdAt: 'int',
    by: 'json',
    sandboxed: 'bool',
  },
  lookups: [['tool']],
};

/** What people said about the executable configuration of directories. */
export const trust: Table<TrustRow> = {
  name: 'trust',
  key: ['dir'],
  columns: { dir: 'text', digest: 'text', trusted: 'bool', config: 'json', at: 'int', by: 'json' },
  lookups: [],
};

/** Programs that may use the bridge. */
export const devices: Table<DeviceRow> = {
  name: 'devices',
  key: ['id'],
  columns: {
    id: 'text',
    name: 'text',
    scopes: 'json',
    tokenHash: 'text',
    createdAt: 'int',
    lastSeen: 'int',
    revokedAt: 'int',
    madeBy: 'text',
    window: 'bool',
  },
  lookups: [],
};

/** What steps reserved and spent. */
export const usage: Table<UsageRow> = {
  name: 'usage',
  key: ['step'],
  columns: {
    step: 'text',
    session: 'text',
    model: 'text',
    cause: 'text',
    day: 'text',
    reserved: 'json',
    settled: 'bool',
    tokens: 'int',
    microUsd: 'int',
    purpose: 'text',
    detail: 'json',
  },
  lookups: [['day'], ['session']],
};

/** Sums of `usage`, kept with it. */
export const usageDays: Table<UsageDayRecord> = {
  name: 'usage_days',
  key: ['day', 'session'],
  columns: { day: 'text', session: 'text', tokens: 'int', microUsd: 'int' },
  lookups: [],
};

/** Visible messages by turn. */
export const sent: Table<SentRecord> = {
  name: 'sent',
  key: ['event'],
  columns: {
    event: 'int',
    session: 'text',
    seq: 'int',
    turn: 'text',
    textHash: 'text',
    routeKeys: 'json',
  },
  lookups: [['turn']],
};

/** Settings of this installation. */
export const meta: Table<MetaRecord> = {
  name: 'meta',
  key: ['key'],
  columns: { key: 'text', value: 'text' },
  lookups: [],
};

/** References to blobs. */
export const blobRefs: Table<BlobRefRecord> = {
  name: 'blob_refs',
  key: ['hash', 'owner'],
  columns: { hash: 'text', owner: 'text' },
  lookups: [['hash'], ['owner']],
};
