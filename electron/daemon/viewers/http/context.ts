import type { Clock } from '../../../../shared/base/ports.ts';
import type { HomeView } from '../../../../shared/protocol/bridge.ts';
import type { Store } from '../../events/port.ts';
import type { SessionRow } from '../../events/rows.ts';
import type { Tickets } from '../access/tickets.ts';
import type { TokenBook } from '../access/token-book.ts';
import type { BridgeCommands, LiveSource } from '../ports.ts';
import { notFound } from './answers.ts';

/** What the daemon says about itself. `supervisorPid` is asked for each time: the parent may change. */
export interface DaemonFacts {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: number;
  /** Why it runs in safe mode, null when it does not. */
  readonly safe: string | null;
  /** The state directory, for people. */
  readonly home: string;
  readonly dayLimitMicroUsd: number | null;
  readonly supervisorPid: () => number | null;
}

/** True while everything is paused. */
export async function isPaused(store: Pick<Store, 'meta'>): Promise<boolean> {
  return (await store.meta('paused_all')) === '1';
}

/** What the routes work with. */
export interface RouteContext {
  readonly store: Store;
  readonly commands: BridgeCommands;
  readonly live: LiveSource;
  readonly clock: Clock;
  readonly facts: DaemonFacts;
  readonly tokens: TokenBook;
  readonly tickets: Tickets;
  homeView(): Promise<HomeView>;
  url(): string;
  viewers(): number;
  /** Ends the tickets, WebSockets and running answers of a device, or those of the owner token (null). */
  signOut(device: string | null): void;
}

/** The session of a path, by id or name; throws `not_found`. */
export async function findSession(
  store: Pick<Store, 'session'>,
  idOrName: string | undefined,
): Promise<SessionRow> {
  const row = idOrName === undefined ? null : await store.session(idOrName);
  if (row !== null) return row;
  throw notFound('There is no such session.', '`kairos sessions` lists them.');
}
