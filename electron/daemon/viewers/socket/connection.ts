import type { WebSocket } from 'ws';
import { assertNever } from '../../../../shared/base/assert-never.ts';
import { errorMessage } from '../../../../shared/base/errors.ts';
import type { Cancel, Clock, Log } from '../../../../shared/base/ports.ts';
import { bridgeVersion, type ClientFrame, type Place } from '../../../../shared/protocol/bridge.ts';
import { allows, type Principal, spelledScopes } from '../access/principal.ts';
import type { Topics } from '../topics/topics.ts';
import { frameText, type Viewer } from '../topics/viewer.ts';
import { readClientFrame } from './client-frame.ts';

/** Within this the first frame has to be a hello (ms). */
export const helloMs = 5_000;
/** More than this waiting in a socket: drafts are dropped, and the next other frame closes it with `resync` (bytes). */
const maxBuffered = 4 * 1024 * 1024;
const maxBadFrames = 10;
const maxTopics = 64;
const maxTopicChars = 200;

/** Why the bridge closes a WebSocket; besides 1001 (going away) and 1009 (frame too large) of the standard. */
export const closeCode = { policy: 1008, signedOut: 4001, resync: 4002, version: 4003 } as const;

/** What a connection needs of the bridge. */
export interface ConnectionPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly topics: Topics;
  readonly daemon: string;
  /** Whose ticket this is, once; a wrong one is counted against the remote. */
  redeem(ticket: string): Principal | null;
  focus(session: string, typing: boolean): void;
  closed(connection: Connection): void;
}

interface Subscription extends Viewer {
  gone: boolean;
}

/** One viewer's WebSocket: hello first, then subscriptions; a bad frame is answered and survived a few times. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #ports: ConnectionPorts;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #cancelHello: Cancel;
  #principal: Principal | null = null;
  #badFrames = 0;
  #closing = false;
  /** Answered the last ping. */
  alive = true;

  constructor(socket: WebSocket, ports: ConnectionPorts) {
    this.#socket = socket;
    this.#ports = ports;
    const late = (): void => this.close(closeCode.policy, 'no hello');
    this.#cancelHello = ports.clock.after(helloMs, late, { keepAlive: false });
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('pong', () => {
      this.alive = true;
    });
    socket.on('error', (error) =>
      ports.log.debug({ reason: errorMessage(error) }, 'a viewer’s socket failed'),
    );
    socket.on('close', () => this.#closed());
  }

  /** Who signed in, null before hello. */
  get principal(): Principal | null {
    return this.#principal;
  }

  /** Leaves all topics at once and says goodbye; what is queued is still sent. */
  close(code: number, reason: string): void {
    this.#closing = true;
    this.#leaveAll();
    this.#socket.close(code, reason);
  }

  /** Sends a ping, or ends a connection that did not answer the last one. */
  probe(): void {
    if (!this.alive) return this.#socket.terminate();
    this.alive = false;
    this.#socket.ping();
  }

  /** Ends without waiting for the other side. */
  terminate(): void {
    this.#socket.terminate();
  }

  #closed(): void {
    this.#closing = true;
    this.#cancelHello();
    this.#leaveAll();
    this.#ports.closed(this);
  }

  #leaveAll(): void {
    for (const topic of this.#subscriptions.keys()) this.#unsubscribe(topic);
  }

  #send(frame: string): void {
    if (this.#closing) return;
    if (this.#socket.bufferedAmount <= maxBuffered) return this.#socket.send(frame);
    for (const topic of this.#subscriptions.keys()) {
      this.#socket.send(frameText({ type: 'resync', topic, reason: 'this viewer fell behind' }));
    }
    this.close(closeCode.resync, 'resync');
  }

  #sendDraft(frame: string): boolean {
    if (this.#closing || this.#socket.bufferedAmount > maxBuffered) return false;
    this.#socket.send(frame);
    return true;
  }

  #receive(data: unknown, isBinary: boolean): void {
    if (this.#closing) return;
    const read = readClientFrame(data, isBinary);
    if (!read.ok) this.#refuseFrame(read.message);
    else if (this.#principal !== null) this.#handle(this.#principal, read.frame);
    else if (read.frame.type === 'hello') this.#hello(read.frame);
    else {
      this.#error('bad_frame', 'The first frame has to be hello.');
      this.close(closeCode.policy, 'no hello');
    }
  }

  #refuseFrame(message: string): void {
    this.#badFrames += 1;
    this.#error('bad_frame', message);
    if (this.#badFrames >= maxBadFrames) this.close(closeCode.policy, 'too many bad frames');
  }

  #error(code: string, message: string, topic?: string): void {
    this.#send(frameText({ type: 'error', code, message, ...(topic === undefined ? {} : { topic }) }));
  }

  #hello({ ticket, version }: Extract<ClientFrame, { type: 'hello' }>): void {
    const principal = this.#ports.redeem(ticket);
    if (principal === null) {
      this.#error('not_allowed', 'The ticket is unknown, used or expired: ask for a new one.');
      return this.close(closeCode.signedOut, 'ticket refused');
    }
    if (version > bridgeVersion) {
      const versions = `This daemon speaks version ${bridgeVersion} of the bridge, the program version ${version}`;
      this.#error('daemon_older', `${versions}: restart the daemon with \`kairos daemon restart\`.`);
      return this.close(closeCode.version, 'daemon is older');
    }
    this.#cancelHello();
    this.#principal = principal;
    const scopes = spelledScopes(principal.scopes);
    const device = principal.device?.id ?? '';
    this.#send(
      frameText({ type: 'welcome', version: bridgeVersion, daemon: this.#ports.daemon, scopes, device }),
    );
  }

  #handle(principal: Principal, frame: ClientFrame): void {
    switch (frame.type) {
      case 'hello':
        return this.#refuseFrame('This connection has said hello already.');
      case 'subscribe':
        return this.#subscribe(principal, frame.topic, frame.from);
      case 'unsubscribe':
        return this.#unsubscribe(frame.topic);
      case 'focus':
        if (frame.session !== null && allows(principal, 'send'))
          this.#ports.focus(frame.session, frame.typing);
        return;
      case 'ping':
        return this.#send(frameText({ type: 'pong', n: frame.n }));
      default:
        assertNever(frame, 'client frame');
    }
  }

  #subscribe(principal: Principal, topic: string, from: Place | undefined): void {
    // An error repeats the topic, and no frame of ours may become as long as the longest of a client's.
    if (topic.length > maxTopicChars) return this.#error('bad_input', 'The name of the topic is too long.');
    if (!allows(principal, 'read')) return this.#error('not_allowed', 'This device may not read.', topic);
    this.#unsubscribe(topic);
    if (this.#subscriptions.size >= maxTopics) {
      return this.#error('bad_input', `A connection follows at most ${maxTopics} topics.`, topic);
    }
    const subscription: Subscription = {
      gone: false,
      send: (frame) => (subscription.gone ? undefined : this.#send(frame)),
      sendDraft: (frame) => !subscription.gone && this.#sendDraft(frame),
    };
    this.#subscriptions.set(topic, subscription);
    const { topics, log } = this.#ports;
    topics.subscribe(topic, subscription, from).then(
      (outcome) => {
        if (outcome === 'unknown_topic')
          this.#forget(topic, subscription, 'not_found', 'There is no such topic.');
        if (outcome === 'safe_mode')
          this.#forget(topic, subscription, 'safe_mode', 'Kairos is in safe mode: see kairos doctor.');
      },
      (error: unknown) => {
        log.error({ reason: errorMessage(error) }, 'a topic could not be read');
        this.#forget(topic, subscription, 'internal', 'The topic could not be read: subscribe again.');
      },
    );
  }

  #forget(topic: string, subscription: Subscription, code: string, message: string): void {
    if (subscription.gone) return;
    this.#unsubscribe(topic);
    this.#error(code, message, topic);
  }

  #unsubscribe(topic: string): void {
    const subscription = this.#subscriptions.get(topic);
    if (subscription === undefined) return;
    subscription.gone = true;
    this.#subscriptions.delete(topic);
    this.#ports.topics.leave(topic, subscription);
  }
}
