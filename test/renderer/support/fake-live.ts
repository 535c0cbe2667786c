import type { Asked } from '../../../shared/viewing/fault.ts';
import type { Link } from '../../../shared/viewing/link.ts';
import { LiveConnection } from '../../../shared/viewing/live-connection.ts';
import type { SocketEvents } from '../../../shared/viewing/socket.ts';
import { bridgeVersion, type ServerFrame } from '../../../shared/protocol/bridge.ts';
import { FakeClock } from './fake-clock.ts';

type Ticket = Asked<{ readonly ticket: string }>;

/** A connection over sockets that a test plays the daemon for. */
export class FakeLive {
  readonly clock = new FakeClock();
  readonly links: Link[] = [];
  readonly frames: ServerFrame[] = [];
  readonly said: unknown[] = [];
  tickets: Ticket = { ok: true, value: { ticket: 'ticket-1' } };
  opened = 0;
  closed = 0;
  #events: SocketEvents | null = null;
  readonly live = new LiveConnection({
    clock: this.clock,
    client: 'window',
    ticket: () => Promise.resolve(this.tickets),
    open: (events) => {
      this.opened += 1;
      this.#events = events;
      return { send: (text) => void this.said.push(JSON.parse(text)), close: () => void (this.closed += 1) };
    },
    onLink: (link) => void this.links.push(link),
    onWelcome: () => undefined,
    onFrame: (frame) => void this.frames.push(frame),
  });

  /** Lets the answer to the ticket arrive. */
  async answered(): Promise<void> {
    await Promise.resolve();
    await Promise.resolve();
  }

  /** The daemon accepts the connection. */
  welcome(version: number = bridgeVersion): void {
    this.#events?.opened();
    this.frame({ type: 'welcome', version, daemon: '1', scopes: ['owner'], device: 'dev_1' });
  }

  frame(frame: ServerFrame): void {
    this.#events?.text(JSON.stringify(frame));
  }

  raw(text: string): void {
    this.#events?.text(text);
  }

  drop(code = 1006): void {
    this.#events?.closed(code);
  }

  /** What was said since the last time. */
  heard(): unknown[] {
    return this.said.splice(0);
  }
}
