import { WebSocket } from 'ws';
import type { BridgeClient } from './bridge-client.ts';

/** A frame of the bridge as it came; the tests look at what they need. */
export interface Frame {
  readonly type: string;
  readonly topic?: string;
  readonly [key: string]: unknown;
}

/** A connected viewer: frames in order with the monotonic ms of their arrival. */
export interface TopicClient {
  readonly frames: readonly { readonly at: number; readonly frame: Frame }[];
  /** Resolves with the first frame from now on (or seen already) that fits. Rejects when the connection ends before. */
  next(fits: (frame: Frame) => boolean, options?: { readonly alsoSeen?: boolean }): Promise<Frame>;
  onFrame(listener: (frame: Frame) => void): void;
  say(frame: unknown): void;
  readonly ended: Promise<{ readonly code: number; readonly reason: string }>;
  close(): Promise<void>;
}

type Ended = TopicClient['ended'];

/** The next frame that fits; rejects when the connection ends before it comes. */
function nextFrame(
  listeners: Set<(frame: Frame) => void>,
  ended: Ended,
  fits: (frame: Frame) => boolean,
): Promise<Frame> {
  return new Promise((resolve, reject) => {
    const listener = (frame: Frame): void => {
      if (!fits(frame)) return;
      listeners.delete(listener);
      resolve(frame);
    };
    listeners.add(listener);
    void ended.then(({ code, reason }) =>
      reject(new Error(`the connection ended (${code} ${reason}) before the frame came`)),
    );
  });
}

function clientOf(socket: WebSocket): TopicClient {
  const frames: { at: number; frame: Frame }[] = [];
  const listeners = new Set<(frame: Frame) => void>();
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString('utf8')) as Frame;
    frames.push({ at: performance.now(), frame });
    // A listener may take itself off while it is called; a set allows that.
    for (const listener of listeners) listener(frame);
  });
  const ended: Ended = new Promise((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString('utf8') }));
  });
  return {
    frames,
    next(fits, { alsoSeen = false } = {}) {
      const seen = alsoSeen ? frames.find(({ frame }) => fits(frame)) : undefined;
      return seen ? Promise.resolve(seen.frame) : nextFrame(listeners, ended, fits);
    },
    onFrame: (listener) => void listeners.add(listener),
    say: (frame) => socket.send(JSON.stringify(frame)),
    ended,
    async close() {
      socket.close();
      await ended;
    },
  };
}

async function connect(bridge: BridgeClient): Promise<WebSocket> {
  const { url } = bridge.address();
  const address = new URL('/api/v1/ws', url.replace(/^http/, 'ws'));
  const socket = new WebSocket(address, { perMessageDeflate: false, origin: new URL(url).origin });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.on('error', reject);
  });
  return socket;
}

/** Signs in with a one-time ticket and subscribes to these topics. */
export async function followTopics(bridge: BridgeClient, topics: readonly string[]): Promise<TopicClient> {
  const { ticket } = await bridge.insist<{ ticket: string }>({ method: 'POST', path: '/tickets', body: {} });
  const client = clientOf(await connect(bridge));
  client.say({ type: 'hello', ticket, version: 1, client: 'test' });
  await client.next((frame) => frame.type === 'welcome', { alsoSeen: true });
  for (const topic of topics) client.say({ type: 'subscribe', topic });
  for (const topic of topics) {
    await client.next((frame) => frame.type === 'snapshot' && frame.topic === topic, { alsoSeen: true });
  }
  return client;
}
