import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createMemoryStore } from '../../../electron/daemon/events/memory/memory-store.ts';
import type { Store } from '../../../electron/daemon/events/port.ts';
import { LiveBoard } from '../../../electron/daemon/sessions/live-board.ts';
import { sessionCommands } from '../../../electron/daemon/sessions/commands.ts';
import { type Bridge, type BridgeOptions, createBridge } from '../../../electron/daemon/viewers/bridge.ts';
import type { BridgeCommands } from '../../../electron/daemon/viewers/ports.ts';
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
  problems: Problem[];
  problemsChanged(): void;
  /** A request with the owner's token and a good Origin; `token` null sends none. */
  ask(sent: Sent & { readonly token?: string | null }): Promise<Answered>;
  device(scopes: Scope[]): Promise<NewDeviceAnswer>;
  ticket(token?: string): Promise<string>;
  viewer(token?: string): Promise<ViewerClient>;
}

/** What a test may change. */
export type BridgeChanges = Partial<
  Pick<BridgeOptions, 'peerCheck' | 'settings' | 'windowDir' | 'announceToken' | 'rememberedPort'>
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
  const clock = changes.clock ?? systemClock;
  const ids = createSystemIds(systemClock);
  const store = changes.store ?? createMemoryStore({ clock: systemClock, ids });
  const board = new LiveBoard();
  const [logged, calls]: [string[], unknown[]] = [[], []];
  const note = (fields: object, message: string): void =>
    void logged.push(JSON.stringify({ ...fields, message }));
  const problemListeners = new Set<() => void>();
  const state = { problems: [] as Problem[] };
  const bridge = createBridge({
    store,
    commands: { ...fakeCommands(store, calls), ...changes.commands },
    live: {
      live: (session) => board.live(session),
      draft: (session) => board.draft(session),
      onLive: (listener) => board.onLive(listener),
      onDraft: (listener) => board.onDraft(listener),
      problems: () => state.problems,
      onProblems: (listener) => {
        problemListeners.add(listener);
        return () => problemListeners.delete(listener);
      },
    },
    clock,
    ids,
    sha256,
    log: { debug: note, info: note, warn: note, error: note },
    version: '1.2.3',
    home: '/home/ada/.kairos',
    dayLimitMicroUsd: 5_000_000,
    windowDir: changes.windowDir ?? null,
    peerCheck: changes.peerCheck ?? (async () => ({ ok: true })),
    settings: changes.settings ?? { port: 0, host: '127.0.0.1' },
    rememberedPort: changes.rememberedPort ?? null,
    announceToken: changes.announceToken ?? (async () => undefined),
  });
  const { port } = await bridge.listen();
  finish(() => bridge.close().then(() => store.close()));
  const under: BridgeUnderTest = {
    port,
    bridge,
    store,
    board,
    logged,
    calls,
    get problems() {
      return state.problems;
    },
    set problems(next) {
      state.problems = next;
    },
    problemsChanged: () => problemListeners.forEach((listener) => listener()),
    ask({ token = bridge.ownerToken, headers = {}, ...rest }) {
      const signedIn = token === null ? {} : { authorization: `Bearer ${token}` };
      return send(port, {
        ...rest,
        headers: { origin: `http://127.0.0.1:${port}`, ...signedIn, ...headers },
      });
    },
    async device(scopes) {
      const answer = await under.ask({
        method: 'POST',
        path: '/api/v1/devices',
        body: { name: 'phone', scopes },
      });
      return answer.json as NewDeviceAnswer;
    },
    async ticket(token) {
      const sent = { method: 'POST', path: '/api/v1/tickets', body: {} };
      const answer = await under.ask(token === undefined ? sent : { ...sent, token });
      return (answer.json as TicketAnswer).ticket;
    },
    async viewer(token) {
      const client = await openViewer(port, await under.ticket(token));
      finish(async () => client.socket.terminate());
      return client;
    },
  };
  return under;
}

function fakeCommands(store: Store, calls: unknown[]): BridgeCommands {
  const commands = sessionCommands({
    store,
    ids: createSystemIds(systemClock),
    defaultMode: 'default',
    defaultModel: 'offline',
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
    search: async (query, limit) => [{ session: 'ses_1', seq: 1, at: 1, text: `${query} ${limit}` }],
    doctor: async () => ({ version: '1.2.3', checks: [] }),
    stop: async (reason, restart) => void calls.push({ stop: reason, restart }),
  };
}
