import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createMemoryStore } from '../../../electron/daemon/events/memory/memory-store.ts';
import type { Store } from '../../../electron/daemon/events/port.ts';
import { LiveBoard } from '../../../electron/daemon/sessions/live-board.ts';
import { offlineOnly } from '../../../electron/daemon/sessions/model-source.ts';
import { sessionCommands } from '../../../electron/daemon/sessions/commands.ts';
import { usageCommands } from '../../../electron/daemon/sessions/usage-commands.ts';
import { type Bridge, type BridgeOptions, createBridge } from '../../../electron/daemon/viewers/bridge.ts';
import type {
  BridgeCommands,
  LiveSource,
  PermissionCommands,
} from '../../../electron/daemon/viewers/ports.ts';
import { systemClock } from '../../../electron/node/clock.ts';
import { createSystemIds } from '../../../electron/node/ids.ts';
import type { Clock } from '../../../shared/base/ports.ts';
import type { Origin } from '../../../shared/domain/origin-route.ts';
import {
  type NewDeviceAnswer,
  type Problem,
  type Scope,
  type TicketAnswer,
} from '../../../shared/protocol/bridge.ts';
import { type Answered, send, type Sent } from './http-client.ts';
import { openViewer, type ViewerClient } from './viewer-client.ts';

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** A bridge over a memory store, listening, with what a test may look at or change. */
export interface BridgeUnderTest {
  readonly port: number;
  readonly bridge: Bridge;
  readonly store: Store;
  readonly board: LiveBoard;
  readonly logged: string[];
  /** What commands were called with. */
  readonly calls: unknown[];
  setProblems(problems: readonly Problem[]): void;
  /** A request with the owner's token and a good Origin; `token` null sends none. */
  ask(sent: Sent & { readonly token?: string | null }): Promise<Answered>;
  device(scopes: Scope[]): Promise<NewDeviceAnswer>;
  ticket(token?: string): Promise<string>;
  viewer(token?: string): Promise<ViewerClient>;
}

/** What a test may change. */
export type BridgeChanges = Partial<
  Pick<BridgeOptions, 'peerCheck' | 'settings' | 'windowDir' | 'announceToken' | 'rememberedPort' | 'safe'>
> & {
  readonly clock?: Clock;
  readonly commands?: Partial<BridgeCommands>;
  readonly store?: Store;
};

/** A listening bridge; `finish` is given what stops it. */
export async function makeBridge(
  changes: BridgeChanges,
  finish: (stop: () => Promise<void>) => void,
): Promise<BridgeUnderTest> {
  const ids = createSystemIds(systemClock);
  const store = changes.store ?? createMemoryStore({ clock: systemClock, ids });
  const board = new LiveBoard();
  const [logged, calls]: [string[], unknown[]] = [[], []];
  const note = (fields: object, message: string): void =>
    void logged.push(JSON.stringify({ ...fields, message }));
  const { live, ...problems } = liveOf(board);
  const bridge = createBridge({
    store,
    commands: { ...fakeCommands(store, calls), ...changes.commands },
    live,
    clock: changes.clock ?? systemClock,
    ids,
    sha256,
    log: { debug: note, info: note, warn: note, error: note },
    version: '1.2.3',
    home: '/home/ada/.kairos',
    dayLimitMicroUsd: 5_000_000,
    windowDir: changes.windowDir ?? null,
    safe: changes.safe ?? null,
    peerCheck: changes.peerCheck ?? (async () => ({ ok: true })),
    settings: changes.settings ?? { port: 0, host: '127.0.0.1' },
    rememberedPort: changes.rememberedPort ?? null,
    announceToken: changes.announceToken ?? (async () => undefined),
  });
  const { port } = await bridge.listen();
  finish(() => bridge.close().then(() => store.close()));
  return { port, bridge, store, board, logged, calls, ...problems, ...clientsOf(port, bridge, finish) };
}

function liveOf(board: LiveBoard): { live: LiveSource } & Pick<BridgeUnderTest, 'setProblems'> {
  const listeners = new Set<() => void>();
  let problems: readonly Problem[] = [];
  const live: LiveSource = {
    live: (session) => board.live(session),
    draft: (session) => board.draft(session),
    onLive: (listener) => board.onLive(listener),
    onDraft: (listener) => board.onDraft(listener),
    problems: () => problems,
    onProblems: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const setProblems = (next: readonly Problem[]): void => {
    problems = next;
    for (const listener of listeners) listener();
  };
  return { live, setProblems };
}

function clientsOf(
  port: number,
  bridge: Bridge,
  finish: (stop: () => Promise<void>) => void,
): Pick<BridgeUnderTest, 'ask' | 'device' | 'ticket' | 'viewer'> {
  const ask: BridgeUnderTest['ask'] = ({ token = bridge.ownerToken, headers = {}, ...rest }) => {
    const signedIn = token === null ? {} : { authorization: `Bearer ${token}` };
    return send(port, { ...rest, headers: { origin: `http://127.0.0.1:${port}`, ...signedIn, ...headers } });
  };
  const ticket = async (token?: string): Promise<string> => {
    const sent = { method: 'POST', path: '/api/v1/tickets', body: {} };
    const answer = await ask(token === undefined ? sent : { ...sent, token });
    return (answer.json as TicketAnswer).ticket;
  };
  return {
    ask,
    ticket,
    async device(scopes) {
      const sent = { method: 'POST', path: '/api/v1/devices', body: { name: 'phone', scopes } };
      return (await ask(sent)).json as NewDeviceAnswer;
    },
    async viewer(token) {
      const client = await openViewer(port, await ticket(token));
      finish(async () => client.socket.terminate());
      return client;
    },
  };
}

function fakeCommands(store: Store, calls: unknown[]): BridgeCommands {
  const commands = sessionCommands({
    store,
    ids: createSystemIds(systemClock),
    defaultMode: 'default',
    models: offlineOnly,
    defaultDir: '/tmp',
    checkDir: async (dir) => dir,
  });
  return {
    ...commands,
    interrupt: async (session: string, by: Origin) => {
      calls.push({ interrupt: session, by });
      return store.interrupt(session, 'test');
    },
    verdict: async (code, verdict, { at: _at, ...by }, owner) => {
      calls.push({ verdict: code, ...verdict, by, owner });
      const { outcome } = await store.claimPrompt({ code, verdict, by: { ...by, at: 1 } });
      return { outcome, by: by.principal, message: '' };
    },
    focus: (session, typing) => void calls.push({ focus: session, typing }),
    exportSession: async (session) => {
      const events = await store.events(session, { after: 0, limit: 1000 });
      return Readable.from(events.map((event) => `${JSON.stringify(event)}\n`));
    },
    search: async (query, limit, session) => [
      { session: session ?? 'ses_1', seq: 1, at: 1, text: `${query} ${limit}` },
    ],
    backUp: async (to) => {
      calls.push({ backUp: to });
      return { to, bytes: 1, blobs: 0, missing: [] };
    },
    ...usageCommands({
      store,
      limits: { dayMicroUsd: 5_000_000, sessionDayTokens: 2_000_000 },
      models: offlineOnly,
    }),
    models: async () => ({
      default: { ref: 'offline', from: 'nothing else', problem: null },
      providers: [],
      models: [],
    }),
    testModel: async (ref) => {
      calls.push({ testModel: ref });
      return { ref, ok: true, ms: 1, text: 'ready' };
    },
    setDefaultModel: async (ref) => {
      calls.push({ setDefaultModel: ref });
      return { ref, note: null };
    },
    ...permissionFakes(store, calls),
    doctor: async () => ({ version: '1.2.3', checks: [] }),
    ...windowFakes(calls),
    stop: async (reason) => void calls.push({ stop: reason }),
  };
}

function windowFakes(calls: unknown[]): Pick<BridgeCommands, 'settings' | 'takeFile'> {
  return {
    settings: async () => ({ file: '/h/settings.json', managedFile: null, entries: [], notices: [] }),
    takeFile: async ({ session, name, content }) => {
      let bytes = 0;
      for await (const chunk of content) bytes += chunk.byteLength;
      calls.push({ takeFile: session, name, bytes });
      return { path: `/s/${name}`, hash: 'h', name, bytes };
    },
  };
}

function permissionFakes(store: Store, calls: unknown[]): PermissionCommands {
  return {
    standing: async ({ dir = '', session = null }) => ({
      dir,
      session,
      mode: 'default',
      rules: [],
      onlyManagedRules: false,
      notices: [],
      untrusted: [],
    }),
    explain: async ({ tool }) => ({ kind: 'bad', message: `There is no tool "${tool}".` }),
    trustOf: async (dir) => [{ dir, digest: 'd1', state: 'open', preview: 'allow x', at: null, by: null }],
    trusts: () => store.trusts(),
    setTrust: async (input) => void calls.push({ setTrust: input }),
    revokeTrust: async (dir) => {
      calls.push({ revokeTrust: dir });
      return true;
    },
  };
}
