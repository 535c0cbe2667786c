import { errorCode, KairosError } from '../../../shared/base/errors.ts';
import type { Ids } from '../../../shared/base/ports.ts';
import { type BriefPolicy, ordinaryBrief } from '../../../shared/domain/brief.ts';
import type { SandboxMode } from '../../../shared/domain/sandbox.ts';
import { type Origin, viewersRoute } from '../../../shared/domain/origin-route.ts';
import {
  type PermissionMode,
  type SessionKind,
  sessionNamePattern,
} from '../../../shared/domain/sessions.ts';
import {
  limits,
  longMessageNext,
  type MessageAnswer,
  type MessageState,
  type SendBody,
} from '../../../shared/protocol/bridge.ts';
import type { RuleTextsBody } from '../../../shared/protocol/permissions.ts';
import type { Admission, MessageStatus, NewSession, NewWake, Store } from '../events/port.ts';
import type { SessionRow } from '../events/rows.ts';
import { answerBriefCommand, newSessionBrief, switchBrief } from './brief-mode.ts';
import type { ModelSource } from './model-source.ts';
import { checkNoTasks } from './running-tasks.ts';
import { checkMode, checkNoWishes, newSessionRules } from './session-wishes.ts';

/** What the commands work with, and what a new session gets that names nothing. */
export interface CommandPorts {
  readonly store: Store;
  readonly ids: Ids;
  readonly defaultMode: PermissionMode;
  readonly models: Pick<ModelSource, 'defaultRef' | 'checkRef' | 'problem'>;
  /** Absent: it may be used and nobody has it unasked. */
  readonly brief?: BriefPolicy;
  /** The administrator forbids the mode `bypassPermissions`; absent: not. */
  readonly bypassDisabled?: () => Promise<boolean>;
  /** Where a session works that names no directory. */
  readonly defaultDir: string;
  /** The real path of an existing, readable directory; rejects with `bad_dir`. */
  readonly checkDir: (dir: string) => Promise<string>;
}

/** What people may do with sessions; reject with KairosError `not_found`, `name_taken`, `bad_input`, `bad_dir`, `too_large`. */
export interface SessionCommands {
  send(body: SendBody, origin: Origin): Promise<MessageAnswer>;
  messageAnswer(message: string): Promise<MessageAnswer>;
  createSession(input: NewSessionInput): Promise<SessionRow>;
  rename(session: string, name: string): Promise<SessionRow>;
  setMode(session: string, mode: PermissionMode): Promise<SessionRow>;
  /** Another model from the next step on; a session that stopped for its model goes on. Rejects with `tasks_running`. */
  setModel(session: string, model: string): Promise<SessionRow>;
  /** Brief mode from the next step on; rejects with `brief_fixed` where it cannot be switched, and with `tasks_running`. */
  setBrief(session: string, brief: boolean): Promise<SessionRow>;
  setPaused(session: string | null, paused: boolean): Promise<void>;
  interrupt(session: string, by: Origin): Promise<boolean>;
  retry(session: string): Promise<SessionRow>;
  archive(session: string): Promise<SessionRow>;
}

/** What a person said of a new session; null = the default. */
export interface NewSessionInput {
  readonly name: string | null;
  readonly dir: string | null;
  readonly kind: SessionKind;
  readonly mode: PermissionMode | null;
  readonly model: string | null;
  /** In brief mode; absent: as the settings say. */
  readonly brief?: boolean;
  /** Rules that hold in it alone; absent: none. */
  readonly rules?: RuleTextsBody;
  /** Absent: as the settings say. */
  readonly sandbox?: SandboxMode;
}

const uuidPattern = /^[A-Za-z0-9_-]{8,64}$/;

/** What people may do with sessions; everything is stored before it is answered. */
export function sessionCommands(ports: CommandPorts): SessionCommands {
  const { store } = ports;
  const found = (idOrName: string): Promise<SessionRow> => findSession(store, idOrName);
  return {
    send: (body, origin) => send(ports, body, origin),
    messageAnswer: (message) => messageAnswer(store, message, false),
    createSession: (input) => makeSession(ports, input, (session) => store.createSession(session)),
    rename: async (session, name) => store.renameSession((await found(session)).id, checkName(name)),
    setMode: async (session, mode) =>
      store.setMode((await found(session)).id, await allowedMode(ports, mode)),
    setModel: async (session, model) => {
      const row = await found(session);
      const ref = usableModel(ports.models, model);
      if (ref !== row.model) checkNoTasks(row);
      return store.setModel(row.id, ref);
    },
    setBrief: async (session, brief) => switchBrief(ports, await found(session), brief),
    setPaused: async (session, paused) => {
      if (session === null) await store.setPausedAll(paused);
      else await store.setPaused((await found(session)).id, paused);
    },
    interrupt: async (session, by) =>
      store.interrupt((await found(session)).id, `interrupted by ${by.principal}.`),
    retry: async (session) => store.unpark((await found(session)).id),
    archive: async (session) => store.archive((await found(session)).id),
  };
}

async function send(ports: CommandPorts, body: SendBody, origin: Origin): Promise<MessageAnswer> {
  checkMessage(body);
  const { store } = ports;
  const command = await answerBriefCommand(ports, body, origin);
  if (command) return command;
  const existing = body.session === undefined ? null : await store.session(body.session);
  // Sent before: nothing must be set again. Otherwise the stored dedupe key says so.
  const { mode, brief, rules, sandbox } = body;
  const adjusts = [mode, brief, rules, sandbox].some((wish) => wish !== undefined);
  if (adjusts && (await store.message(body.uuid))) return sameMessage(store, body);
  const session = existing && (await adjust(ports, existing, body));
  const wake = {
    kind: 'person',
    mode: body.queue ?? 'next_step',
    origin,
    route: viewersRoute,
    dedupeKey: `message:${body.uuid}`,
    text: body.text,
    message: body.uuid,
  } as const;
  if (!session) return sendToNew(ports, body, wake);
  const { duplicate } = await store.admitWake({ ...wake, session: session.id });
  if (duplicate) return sameMessage(store, body);
  if (session.turn !== null) return messageAnswer(store, body.uuid, false);
  const state = session.parked ? 'parked' : 'working';
  const { id, name } = session;
  return { session: id, name, message: body.uuid, state, settledBy: null, replies: [], duplicate: false };
}

/** The session is made in the commit that stores its first message: there is never one without the other. */
async function sendToNew(
  ports: CommandPorts,
  body: SendBody,
  wake: Omit<NewWake, 'session'>,
): Promise<MessageAnswer> {
  const { store } = ports;
  if (body.session?.startsWith('ses_')) throw notFound(body.session);
  const { dir = null, mode = null, model = null, brief = false, rules, sandbox } = body;
  const wishes = { ...(rules === undefined ? {} : { rules }), ...(sandbox === undefined ? {} : { sandbox }) };
  const name = body.session ?? null;
  const admit = (session: NewSession): Promise<Admission> => store.admitToNewSession(session, wake);
  try {
    const { duplicate } = await makeSession(
      ports,
      { name, dir, kind: 'interactive', mode, model, brief, ...wishes },
      admit,
    );
    if (duplicate) return await sameMessage(store, body);
    return { ...(await messageAnswer(store, body.uuid, false)), created: true };
  } catch (error) {
    // Somebody else made the session of that name a moment ago.
    const winner = errorCode(error) === 'name_taken' && name !== null ? await store.session(name) : null;
    if (!winner) throw error;
    checkNoWishes(body);
    const { duplicate } = await store.admitWake({ ...wake, session: winner.id });
    return duplicate ? sameMessage(store, body) : messageAnswer(store, body.uuid, false);
  }
}

/** The answer for a message that was sent before. Rejects with `uuid_taken` when it was another one: that would be lost. */
async function sameMessage(store: Store, body: SendBody): Promise<MessageAnswer> {
  const answer = await messageAnswer(store, body.uuid, true);
  const stored = await store.message(body.uuid);
  const [event] = await store.events(answer.session, { after: (stored?.wake.seq ?? 1) - 1, limit: 1 });
  const sameText = event?.type === 'message.received' && event.body.text === body.text;
  // A name that nobody bears now may be the one from before a rename.
  const named = body.session === undefined ? null : await store.session(body.session);
  const sameSession = named === null || named.id === answer.session;
  if (sameText && sameSession) return answer;
  throw new KairosError(
    'uuid_taken',
    `The uuid ${body.uuid} was used for another message; this one is not stored.`,
    {
      next: 'Send it under a new uuid.',
    },
  );
}

/** Control characters take six bytes in JSON: what counts is what is stored and sent on. */
function storedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

function checkMessage(body: SendBody): void {
  if (body.text.trim() === '')
    throw new KairosError('bad_input', 'The message is empty.', { next: 'Write some text.' });
  if (storedBytes(body.text) > limits.messageBytes) {
    const size = `${Math.round(limits.messageBytes / 1024)} KB`;
    throw new KairosError('too_large', `The message is longer than ${size}.`, {
      next: longMessageNext,
    });
  }
  if (!uuidPattern.test(body.uuid)) {
    throw new KairosError('bad_input', 'The uuid must be 8 to 64 letters, digits, - or _.', {
      next: 'Leave it out to get one.',
    });
  }
}

/** `mode` and `brief` of a send are an owner's wishes for the session; `dir` and `model` only name those of a new one. */
async function adjust(ports: CommandPorts, session: SessionRow, body: SendBody): Promise<SessionRow> {
  checkNoWishes(body);
  const { mode, brief } = body;
  const switched = brief === undefined ? session : await switchBrief(ports, session, brief);
  if (mode !== undefined && mode !== switched.mode)
    return ports.store.setMode(session.id, await allowedMode(ports, mode));
  return switched;
}

/** The ref as it is stored; throws `bad_input` for one that cannot be used: a session that works must not stop for a mistake. */
function usableModel(models: CommandPorts['models'], model: string): string {
  const ref = models.checkRef(model);
  const problem = models.problem(ref);
  if (problem === null) return ref;
  throw new KairosError('bad_input', problem, { next: 'See: kairos models' });
}

function allowedMode({ bypassDisabled }: CommandPorts, mode: PermissionMode): Promise<PermissionMode> {
  return checkMode(mode, bypassDisabled ?? (() => Promise.resolve(false)));
}

/** Describes a new session and has it made by `make`, under its name or under a free one after its directory. */
async function makeSession<Made>(
  ports: CommandPorts,
  input: NewSessionInput,
  make: (session: NewSession) => Promise<Made>,
): Promise<Made> {
  if (input.kind === 'daemon-worker') {
    throw new KairosError('bad_input', 'Sessions of kind daemon-worker are made by Kairos itself.', {
      next: 'Use interactive, bg or daemon.',
    });
  }
  const name = input.name === null ? null : checkName(input.name);
  const dir = await ports.checkDir(input.dir ?? ports.defaultDir);
  const model = input.model === null ? await ports.models.defaultRef() : ports.models.checkRef(input.model);
  const workerType = input.kind === 'daemon' ? 'kairos_assistant' : 'kairos';
  const session: Omit<NewSession, 'name'> = {
    kind: input.kind,
    workerType,
    parent: null,
    dir,
    mode: input.mode === null ? ports.defaultMode : await allowedMode(ports, input.mode),
    model,
    brief: newSessionBrief(ports.brief ?? ordinaryBrief, workerType, input.brief ?? false),
    rules: newSessionRules(input.rules ?? null),
    sandbox: input.sandbox ?? null,
  };
  return name === null ? makeNamedByDir(ports, session, make) : make({ ...session, name });
}

/** A session without a name is called after its directory: `shop`, `shop-2` ... `shop-99`, then `shop-3f2a`. */
async function makeNamedByDir<Made>(
  { store, ids }: CommandPorts,
  session: Omit<NewSession, 'name'>,
  make: (session: NewSession) => Promise<Made>,
): Promise<Made> {
  const base = nameFromDir(session.dir);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number < 100 ? number : ids.random(2)}`;
    if (await store.session(name)) continue;
    try {
      return await make({ ...session, name });
    } catch (error) {
      if (errorCode(error) !== 'name_taken') throw error;
    }
  }
}

/** Last part of a path as a session's name; `session` where nothing of it can be used. */
function nameFromDir(dir: string): string {
  const last = dir.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  const usable = [...last.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-_.]+|-+$/g, '')]
    .slice(0, 50)
    .join('');
  return sessionNamePattern.test(usable) ? usable : 'session';
}

function checkName(name: string): string {
  if (sessionNamePattern.test(name)) return name;
  throw new KairosError('bad_input', `"${name.slice(0, 80)}" cannot be a session's name.`, {
    next: 'Use 1 to 64 letters, digits, dots, - or _, not starting with -.',
  });
}

function notFound(session: string): KairosError {
  return new KairosError('not_found', `There is no session ${session}.`, {
    next: 'List them with: kairos sessions',
  });
}

async function findSession(store: Store, idOrName: string): Promise<SessionRow> {
  const session = await store.session(idOrName);
  if (!session) throw notFound(idOrName);
  return session;
}

async function messageAnswer(store: Store, message: string, duplicate: boolean): Promise<MessageAnswer> {
  const status = await store.message(message);
  if (!status)
    throw new KairosError('not_found', `There is no message ${message}.`, { next: 'Check the id.' });
  const { wake, settledBy, replies } = status;
  const state = await messageState(store, status);
  const session = await store.session(wake.session);
  return {
    session: wake.session,
    name: session?.name ?? null,
    message: wake.message ?? message,
    state,
    settledBy,
    replies: [...replies],
    duplicate,
  };
}

async function messageState(store: Store, { wake, settledBy }: MessageStatus): Promise<MessageState> {
  if (settledBy !== null) return 'settled';
  const [summary] = await store.summaries({ ids: [wake.session] });
  if (summary?.session.parked) return 'parked';
  return summary && summary.openPrompts > 0 ? 'asking' : 'working';
}
