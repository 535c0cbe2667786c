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

/** Signs in with a one-time ticket and subscribes to these topics. */
export async function followTopics(bridge: BridgeClient, topics: readonly string[]): Promise<TopicClient> {
  const { ticket } = await bridge.insist<{ ticket: string }>({ method: 'POST', path: '/tickets', body: {} });
  const url = `${bridge.address().url.replace(/^http/, 'ws').replace(/\/$/, '')}/api/v1/ws`;
  const socket = new WebSocket(url, { perMessageDeflate: false, origin: new URL(bridge.address().url).origin });
  const frames: { at: number; frame: Frame }[] = [];
  const listeners = new Set<(frame: Frame) => void>();
  const endListeners = new Set<() => void>();
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString('utf8')) as Frame;
    frames.push({ at: performance.now(), frame });
    for (const listener of [...listeners]) listener(frame);
  });
  const ended = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: reason.toString('utf8') });
      for (const listener of endListeners) listener();
    });
  });
  socket.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => resolve());
    void ended.then(({ code, reason }) => reject(new Error(`the viewer's connection ended: ${code} ${reason}`)));
  });
  const client: TopicClient = {
    frames,
    next(fits, { alsoSeen = false } = {}) {
      const seen = alsoSeen ? frames.find(({ frame }) => fits(frame)) : undefined;
      if (seen) return Promise.resolve(seen.frame);
      return new Promise((resolve, reject) => {
        const onEnd = (): void => reject(new Error('the connection ended before the frame came'));
        const listener = (frame: Frame): void => {
          if (!fits(frame)) return;
          listeners.delete(listener);
          endListeners.delete(onEnd);
          resolve(frame);
        };
        listeners.add(listener);
        endListeners.add(onEnd);
      });
    },
    onFrame: (listener) => void listeners.add(listener),
    say: (frame) => socket.send(JSON.stringify(frame)),
    ended,
    async close() {
      socket.close();
      await ended;
    },
  };
  client.say({ type: 'hello', ticket, version: 1, client: 'test' });
  await client.next((frame) => frame.type === 'welcome', { alsoSeen: true });
  for (const topic of topics) client.say({ type: 'subscribe', topic });
  for (const topic of topics) {
    await client.next((frame) => frame.type === 'snapshot' && frame.topic === topic, { alsoSeen: true });
  }
  return client;
}
