import { KairosError } from '../../../../shared/base/errors.ts';
import {
  modelCodes,
  type Parked,
  type PermissionMode,
  sessionNamePattern,
} from '../../../../shared/domain/sessions.ts';
import { idPrefix } from '../../../../shared/domain/ids.ts';
import { viewersRoute, type Route } from '../../../../shared/domain/origin-route.ts';
import type { NewSession } from '../port.ts';
import type { SessionRow } from '../rows.ts';
import { blobRefs, sessions, wakes } from '../rows/tables.ts';
import { type SessionRecord, toSessionRow } from '../rows/records.ts';
import type { RowStore } from '../rows/table.ts';
import { closeAllPrompts } from './close-prompts.ts';
import { interruptTurn, tellStopped } from './interrupt.ts';
import { badInput, notFound } from './rejections.ts';
import { sendMessage } from './sending.ts';
import type { SessionDraft } from './session-draft.ts';
import { settlePending } from './settling.ts';
import { archiveTasks } from './tasks.ts';
import { decideAnew } from './decide-anew.ts';
import type { Tx } from './tx.ts';
import { release } from './usage.ts';

/** The session of that id or, among those that are not archived, of that name. */
export function findSession(rows: RowStore, idOrName: string): SessionRecord | null {
  const byId = rows.get(sessions, idOrName);
  if (byId) return byId;
  return rows.find(sessions, { eq: { name: idOrName }, isNull: ['archivedAt'], limit: 1 })[0] ?? null;
}

function requireFreeName(tx: Tx, name: string, own: string | null): void {
  if (!sessionNamePattern.test(name)) {
    throw badInput(
      'A session name has 1 to 64 letters, digits, "-", "_" or ".", and does not start with "-" or "ses_".',
    );
  }
  const holder = findSession(tx.rows, name);
  if (holder && holder.id !== own) {
    throw new KairosError('name_taken', `There is already a session named "${name}".`, {
      next: 'Choose another name or archive that session.',
    });
  }
}

/** Makes a session and writes its first event. */
export function createSession(tx: Tx, input: NewSession): SessionRow {
  if (input.name !== null) requireFreeName(tx, input.name, null);
  if (input.parent !== null && !tx.rows.get(sessions, input.parent)) throw notFound('session', input.parent);
  const id = tx.ids.next(idPrefix.session);
  const { name, kind, dir, mode, model, parent, brief = false, rules = null, sandbox = null } = input;
  tx.rows.insert(sessions, { ...input, ...emptySession(tx.now), brief, rules, sandbox, id });
  const draft = tx.session(id);
  tx.append(draft, {
    type: 'session.created',
    body: { name, kind, dir, mode, model, parent, ...(brief ? { brief } : {}) },
  });
  return toSessionRow(draft.row);
}

function emptySession(now: number): Omit<SessionRecord, keyof NewSession | 'id'> {
  return {
    createdAt: now,
    lastActivity: now,
    archivedAt: null,
    seq: 0,
    nextRef: 1,
    paused: false,
    parked: null,
    turn: null,
    step: null,
    frame: null,
    context: null,
    crash: null,
    runAt: null,
    inTurn: false,
    pendingTexts: 0,
    openPrompts: 0,
    sleepingUntil: null,
    turnFacts: null,
    replySeq: null,
    decideAnew: null,
    compaction: null,
    memo: null,
    tasks: null,
    todos: null,
    budget: null,
  };
}

/** Gives the session another name; its own name changes nothing. */
export function renameSession(tx: Tx, id: string, name: string): SessionRow {
  const draft = tx.session(id);
  requireFreeName(tx, name, id);
  if (draft.row.name !== name) {
    draft.set({ name });
    tx.append(draft, { type: 'session.renamed', body: { name } });
  }
  return toSessionRow(draft.row);
}

/** Sets what runs unasked. */
export function setMode(tx: Tx, id: string, mode: PermissionMode): SessionRow {
  const draft = tx.session(id);
  if (draft.row.mode !== mode) {
    draft.set({ mode });
    tx.append(draft, { type: 'session.mode_set', body: { mode } });
    decideAnew(tx, ({ session }) => session === id);
  }
  return toSessionRow(draft.row);
}

/** Where a notice of the open turn is read: the chats that wait for an answer, else the viewers. */
export function noticeRoutes(tx: Tx, draft: SessionDraft): Route[] {
  const owed = (draft.row.turn?.owes ?? []).flatMap(({ wake }) => tx.rows.get(wakes, wake)?.route ?? []);
  return owed.length > 0 ? owed : [viewersRoute];
}

/** Stops the session until a person says otherwise, and tells why. The first reason stays. */
export function park(tx: Tx, id: string, code: string, reason: string, unspent = false): SessionRow {
  const draft = tx.session(id);
  const { step, parked } = draft.row;
  if (unspent && step?.state === 'began' && !parked) release(tx, step.id);
  parkDraft(tx, draft, code, reason);
  return toSessionRow(draft.row);
}

/** `park` inside another verb. */
export function parkDraft(
  tx: Tx,
  draft: SessionDraft,
  code: string,
  reason: string,
  more: Pick<Parked, 'until' | 'limit'> = {},
): void {
  if (draft.row.parked) return;
  draft.set({ parked: { code, reason, at: tx.now, ...more } });
  tx.passes('commit.park');
  const until = more.until === undefined ? {} : { until: more.until };
  tx.append(draft, { type: 'session.parked', body: { code, reason, ...until } });
  sendMessage(tx, draft, {
    call: null,
    text: `This session stopped: ${reason}`,
    status: 'normal',
    source: 'notice',
    inReplyTo: null,
    routes: noticeRoutes(tx, draft),
  });
  tx.workChanged();
}

/** Takes a parked session up again; what it owed it still owes. */
export function unpark(tx: Tx, id: string): SessionRow {
  const draft = tx.session(id);
  unparkDraft(tx, draft);
  return toSessionRow(draft.row);
}

/** `unpark` inside another verb. */
export function unparkDraft(tx: Tx, draft: SessionDraft): void {
  if (!draft.row.parked) return;
  draft.set({ parked: null, crash: null });
  tx.passes('commit.unpark');
  tx.append(draft, { type: 'session.unparked', body: {} });
  tx.workChanged();
}

/** Another model from the next step on: its frame is made anew, and what it was parked for is over. */
export function setModel(tx: Tx, id: string, model: string): SessionRow {
  const draft = tx.session(id);
  const { parked } = draft.row;
  if (draft.row.model !== model) {
    unpinFrame(tx, draft);
    draft.set({ model });
    tx.append(draft, { type: 'session.model_set', body: { model } });
    tx.workChanged();
  }
  if (parked && modelCodes.has(parked.code)) unparkDraft(tx, draft);
  return toSessionRow(draft.row);
}

/** Brief mode on or off from the next step on: its frame is made anew. */
export function setBrief(tx: Tx, id: string, brief: boolean): SessionRow {
  const draft = tx.session(id);
  if (draft.row.brief !== brief) {
    unpinFrame(tx, draft);
    draft.set({ brief });
    tx.append(draft, { type: 'session.brief_set', body: { brief } });
    tx.workChanged();
  }
  return toSessionRow(draft.row);
}

function unpinFrame(tx: Tx, draft: SessionDraft): void {
  const { frame } = draft.row;
  if (frame !== null) tx.rows.delete(blobRefs, frame, `frame:${draft.id}`);
  draft.set({ frame: null });
}

/** Ends the session for good: its turn is interrupted, what waits is settled, its name is free again. */
export function archive(tx: Tx, id: string): SessionRow {
  const draft = tx.anySession(id);
  if (draft.row.archivedAt === null) {
    const reason = 'the session was archived.';
    if (draft.row.turn) interruptTurn(tx, draft, reason);
    tellStopped(tx, draft, settlePending(tx, draft), null, reason);
    closeAllPrompts(tx, draft, reason);
    archiveTasks(tx, draft);
    draft.set({ archivedAt: tx.now });
    tx.workChanged();
  }
  return toSessionRow(draft.row);
}

/** Pins a stored blob as the session's frame. */
export function pinFrame(tx: Tx, id: string, hash: string): string {
  const draft = tx.session(id);
  tx.refer(hash, `frame:${id}`);
  if (draft.row.frame !== hash) draft.set({ frame: hash });
  return hash;
}
