import type { Cancel, Clock } from '../base/ports.ts';
import {
  bridgeVersion,
  type ClientFrame,
  type Place,
  type ServerFrame,
  serverFrameSchema,
} from '../protocol/bridge.ts';
import { type Asked, isPassing } from './fault.ts';
import type { Link } from './link.ts';
import { placeAfter } from './place-after.ts';
import { retryDelay } from './retry-delay.ts';
import type { Socket, SocketEvents } from './socket.ts';

/** From opening a socket to `welcome`, and from a ping to any frame, at most this many ms. */
const welcomeMs = 10_000;
const answerMs = 5_000;
/** The bridge's word for "the daemon is older than the program". */
const olderDaemonCode = 4003;

const nothing: Cancel = () => undefined;

/** What a connection needs; `ticket` is asked for anew before every attempt. */
export interface LivePorts {
  readonly clock: Clock;
  /** What this program calls itself; decoration. */
  readonly client: string;
  ticket(): Promise<Asked<{ readonly ticket: string }>>;
  open(events: SocketEvents): Socket;
  onLink(link: Link): void;
  onWelcome(frame: Extract<ServerFrame, { type: 'welcome' }>): void;
  onFrame(frame: ServerFrame): void;
}

/** One WebSocket that is always there again: it keeps the place in every topic and resumes from it. It never polls. */
export class LiveConnection {
  readonly #ports: LivePorts;
  readonly #topics = new Map<string, Place | undefined>();
  #socket: Socket | null = null;
  #isLive = false;
  #attempts = 0;
  /** Rises with every attempt: what an older one still says is not heard. */
  #attempt = 0;
  #cancelRetry: Cancel = nothing;
  #cancelWait: Cancel = nothing;

  constructor(ports: LivePorts) {
    this.#ports = ports;
  }

  /** Connects; from then on only `close` and a refusal end it. */
  start(): void {
    this.#ports.onLink({ kind: 'connecting' });
    void this.#connect();
  }

  /** Follows a topic from `place` (undefined: with a snapshot), over every reconnect. */
  follow(topic: string, place: Place | undefined): void {
    this.#topics.set(topic, place);
    if (this.#isLive) this.#subscribe(topic, place);
  }

  leave(topic: string): void {
    if (this.#topics.delete(topic) && this.#isLive) this.#say({ type: 'unsubscribe', topic });
  }

  /** Says that somebody types into a session, so that it can wake early. Lost while not connected. */
  tellTyping(session: string): void {
    if (this.#isLive) this.#say({ type: 'focus', session, typing: true });
  }

  /** Tries at once instead of after the delay; asks a socket that seems alive for a sign. */
  nudge(): void {
    if (this.#isLive) {
      this.#say({ type: 'ping', n: this.#attempt });
      this.#wait(answerMs);
    } else if (this.#socket === null && this.#attempts > 0) {
      void this.#connect();
    }
  }

  close(): void {
    this.#attempt += 1;
    this.#drop();
  }

  async #connect(): Promise<void> {
    this.#attempt += 1;
    const attempt = this.#attempt;
    this.#cancelRetry();
    const ticket = await this.#ports.ticket();
    if (attempt !== this.#attempt) return;
    if (ticket.ok) return this.#open(attempt, ticket.value.ticket);
    if (isPassing(ticket.fault)) this.#retry(ticket.fault.status === 0);
    else this.#end({ kind: 'refused', fault: ticket.fault });
  }

  #open(attempt: number, ticket: string): void {
    const isCurrent = (): boolean => attempt === this.#attempt;
    this.#wait(welcomeMs);
    this.#socket = this.#ports.open({
      opened: () => {
        if (isCurrent())
          this.#say({ type: 'hello', ticket, version: bridgeVersion, client: this.#ports.client });
      },
      text: (data) => {
        if (isCurrent()) this.#receive(data);
      },
      closed: (code) => {
        if (!isCurrent()) return;
        if (code === olderDaemonCode) this.#end({ kind: 'outdated' });
        else this.#retry(false);
      },
    });
  }

  #receive(data: string): void {
    const frame = readFrame(data);
    // A frame of a later version says nothing to this one.
    if (frame === null) return;
    if (frame.type === 'welcome') return this.#welcome(frame);
    if (this.#isLive) this.#cancelWait();
    if (frame.type === 'resync') return this.#resync(frame.topic);
    const place = placeAfter(frame);
    if (place !== null && this.#topics.has(place.topic)) this.#topics.set(place.topic, place.place);
    this.#ports.onFrame(frame);
  }

  #welcome(frame: Extract<ServerFrame, { type: 'welcome' }>): void {
    this.#cancelWait();
    if (frame.version !== bridgeVersion) return this.#end({ kind: 'outdated' });
    this.#isLive = true;
    this.#attempts = 0;
    this.#ports.onWelcome(frame);
    for (const [topic, place] of this.#topics) this.#subscribe(topic, place);
    this.#ports.onLink({ kind: 'live' });
  }

  #resync(topic: string): void {
    if (!this.#topics.has(topic)) return;
    this.#topics.set(topic, undefined);
    this.#subscribe(topic, undefined);
  }

  #subscribe(topic: string, from: Place | undefined): void {
    this.#say(from === undefined ? { type: 'subscribe', topic } : { type: 'subscribe', topic, from });
  }

  #say(frame: ClientFrame): void {
    this.#socket?.send(JSON.stringify(frame));
  }

  /** A socket that does not answer within `ms` is given up, whatever the browser believes. */
  #wait(ms: number): void {
    this.#cancelWait();
    this.#cancelWait = this.#ports.clock.after(ms, () => this.#retry(false));
  }

  #retry(nobody: boolean): void {
    this.#attempt += 1;
    this.#attempts += 1;
    this.#drop();
    this.#ports.onLink({ kind: 'lost', attempts: this.#attempts, nobody });
    this.#cancelRetry = this.#ports.clock.after(retryDelay(this.#attempts), () => void this.#connect());
  }

  #end(link: Link): void {
    this.close();
    this.#ports.onLink(link);
  }

  #drop(): void {
    this.#cancelRetry();
    this.#cancelWait();
    this.#isLive = false;
    this.#socket?.close();
    this.#socket = null;
  }
}

function readFrame(data: string): ServerFrame | null {
  try {
    const read = serverFrameSchema.safeParse(JSON.parse(data));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
