import { WebSocket } from 'ws';
import { type ServerFrame, serverFrameSchema } from '../../../shared/protocol/bridge.ts';

/** A viewer for tests: keeps every frame and lets a test wait for one. */
export interface ViewerClient {
  readonly frames: ServerFrame[];
  readonly socket: WebSocket;
  send(frame: unknown): void;
  /** The first frame from index `from` on that fits; waits for it. */
  until<Type extends ServerFrame['type']>(
    type: Type,
    fits?: (frame: Extract<ServerFrame, { type: Type }>) => boolean,
  ): Promise<Extract<ServerFrame, { type: Type }>>;
  /** Code of the close frame. */
  readonly closed: Promise<number>;
  close(): Promise<void>;
}

/** Opens a WebSocket; `hello` is sent when a ticket is given. */
export async function openViewer(
  port: number,
  ticket?: string,
  onFrame?: (frame: ServerFrame) => void,
): Promise<ViewerClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws`, { origin: `http://127.0.0.1:${port}` });
  const frames: ServerFrame[] = [];
  const waiters = new Set<() => void>();
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)));
  socket.on('message', (data) => {
    const frame = serverFrameSchema.parse(JSON.parse(String(data)));
    frames.push(frame);
    onFrame?.(frame);
    for (const waiter of waiters) waiter();
  });
  await new Promise((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  const client: ViewerClient = {
    frames,
    socket,
    closed,
    send: (frame) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame)),
    until(type, fits = () => true) {
      type Wanted = Extract<ServerFrame, { type: typeof type }>;
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const found = frames.find((frame) => frame.type === type && fits(frame as Wanted));
          if (found === undefined) return;
          waiters.delete(look);
          resolve(found as Wanted);
        };
        waiters.add(look);
        void closed.then(() => reject(new Error(`closed before ${type} came`)));
        look();
      });
    },
    async close() {
      socket.close();
      await closed;
    },
  };
  if (ticket !== undefined) {
    client.send({ type: 'hello', ticket, version: 1, client: 'test' });
    await client.until('welcome');
  }
  return client;
}
