import type { Server } from 'node:http';
import type { Cancel, Clock, Ids, Log, Sha256 } from '../../../shared/base/ports.ts';
import type { Store } from '../events/port.ts';
import { createTickets, type Tickets } from './access/tickets.ts';
import { createTokenBook } from './access/token-book.ts';
import { createFailureLimit, type FailureLimit } from './checks/failure-limit.ts';
import { type Addresses, addressesOf, checkHead } from './checks/request-checks.ts';
import { allRoutes, createApp, headOf } from './http/app.ts';
import type { DaemonFacts } from './http/context.ts';
import { createOpenStreams } from './http/open-streams.ts';
import { createPipeline, type PeerCheck } from './http/pipeline.ts';
import { closeServer, createHttpServer } from './http/server.ts';
import { createWindowFiles } from './http/window-files.ts';
import { listenOn } from './listen.ts';
import type { BridgeCommands, LiveSource } from './ports.ts';
import { closeCode } from './socket/connection.ts';
import { createSocketServer, type SocketServer } from './socket/socket-server.ts';
import { createTopics, type Topics } from './topics/topics.ts';

/** What the settings say about the bridge. */
export interface BridgeSettings {
  /** 0: the remembered port or any free one. */
  readonly port: number;
  readonly host: string;
  /** A trusted TLS origin in front of the bridge (a tailnet's serve, the user's proxy). */
  readonly publicOrigin?: string | undefined;
}

/** What the bridge serves and what guards it. */
export interface BridgeOptions {
  readonly store: Store;
  readonly commands: BridgeCommands;
  readonly live: LiveSource;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sha256: Sha256;
  readonly log: Log;
  readonly version: string;
  /** The state directory, for people. */
  readonly home: string;
  /** Why the daemon runs in safe mode; null or absent when it does not. */
  readonly safe?: string | null;
  readonly dayLimitMicroUsd: number | null;
  /** Folder of the built window, null when this build has none. */
  readonly windowDir: string | null;
  readonly peerCheck: PeerCheck;
  readonly settings: BridgeSettings;
  /** Port of the last run, tried first when the settings name none. */
  readonly rememberedPort?: number | null;
  /** Writes a rotated owner token to `daemon.json`; until it resolves the old token is good. */
  readonly announceToken: (token: string) => Promise<void>;
}

/** The daemon's local port. */
export interface Bridge {
  /** The owner token of this run; changes when it is rotated. */
  readonly ownerToken: string;
  /** Resolves when requests are answered. `notice`: the wanted port is taken and another one serves. */
  listen(): Promise<{ port: number; url: string; notice: string | null }>;
  /** Makes and announces a new owner token; the old one fails at once and its WebSockets are closed. */
  rotateToken(): Promise<void>;
  /** Says goodbye to viewers and stops; requests that run may end first, for at most two seconds. */
  close(): Promise<void>;
}

/** Under which names the bridge answers; empty until it listens. */
interface Where {
  addresses: Addresses;
  url: string;
}

/** A bridge that does not listen yet. */
export function createBridge(options: BridgeOptions): Bridge {
  const { clock } = options;
  const facts = factsOf(options);
  const where: Where = { addresses: { hosts: new Set(), origins: new Set() }, url: '' };
  const tickets = createTickets(options);
  const failures = createFailureLimit(clock);
  const topics = createTopics({ ...options, facts });
  const sockets = makeSockets(options, { where, tickets, failures, topics });
  const streams = createOpenStreams();
  const signOut = (device: string | null): void => {
    tickets.drop(device);
    sockets.disconnect(device, closeCode.signedOut, 'signed out');
    streams.end(device);
  };
  const tokens = createTokenBook({
    ...options,
    announce: options.announceToken,
    connected: () => sockets.devices(),
    ended: (devices) => devices.forEach(signOut),
  });
  const tidying = daily(clock, () => tokens.tidyWindows());
  const routes = allRoutes({
    ...options,
    facts,
    tokens,
    tickets,
    signOut,
    homeView: () => topics.homeView(),
    url: () => where.url,
    viewers: () => sockets.size,
  });
  const pipeline = createPipeline({ ...options, streams, identify: tokens.identify, fail: failures.fail });
  const windowFiles = createWindowFiles(options.windowDir);
  const app = createApp({ routes, pipeline, windowFiles, addresses: () => where.addresses });
  const server = createHttpServer(options.log, (request, env) => app.fetch(request, env));
  server.on('upgrade', (request, socket, head) => sockets.upgrade(request, socket, head));
  return {
    get ownerToken() {
      return tokens.ownerToken;
    },
    async listen() {
      await tokens.load();
      tidying.start();
      return listen(options, server, where);
    },
    async rotateToken() {
      await tokens.rotate();
      signOut(null);
    },
    async close() {
      tidying.stop();
      topics.close();
      sockets.close();
      await closeServer(clock, server, () => sockets.terminate());
    },
  };
}

const dayMs = 24 * 60 * 60 * 1000;

/** Runs `work` at the start and once a day until `stop`; it must not reject. */
function daily(clock: Clock, work: () => Promise<void>): { start(): void; stop(): void } {
  let cancel: Cancel = () => undefined;
  const run = (): void => {
    cancel = clock.after(dayMs, run, { keepAlive: false });
    void work();
  };
  return { start: run, stop: () => cancel() };
}

interface SocketParts {
  readonly where: Where;
  readonly tickets: Tickets;
  readonly failures: FailureLimit;
  readonly topics: Topics;
}

function makeSockets(
  { clock, log, commands, version }: BridgeOptions,
  { where, tickets, failures, topics }: SocketParts,
): SocketServer {
  return createSocketServer({
    clock,
    log,
    topics,
    daemon: version,
    check: (request) => checkHead(headOf(request, true), where.addresses),
    redeem(ticket, remote) {
      const principal = tickets.redeem(ticket);
      if (principal === null) failures.fail(remote);
      return principal;
    },
    focus: (session, typing) => commands.focus(session, typing),
  });
}

async function listen(
  { settings, rememberedPort }: BridgeOptions,
  server: Server,
  where: Where,
): ReturnType<Bridge['listen']> {
  const { host, port: wanted, publicOrigin } = settings;
  const { port, notice } = await listenOn(server, { host, port: wanted, remembered: rememberedPort ?? null });
  where.addresses = addressesOf(port, publicOrigin);
  where.url = `http://${host === '::1' ? '[::1]' : host}:${port}`;
  return { port, url: where.url, notice };
}

function factsOf({ clock, version, home, safe, dayLimitMicroUsd }: BridgeOptions): DaemonFacts {
  const supervisorPid = (): number => process.ppid;
  const startedAt = clock.now();
  return { version, pid: process.pid, startedAt, safe: safe ?? null, home, dayLimitMicroUsd, supervisorPid };
}
