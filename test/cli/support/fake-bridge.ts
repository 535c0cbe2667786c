import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { type ClientFrame, type ServerFrame, clientFrameSchema } from '../../../shared/protocol/bridge.ts';

/** What a scripted route answers; `drop` breaks the connection, `hang` never answers. */
export type FakeAnswer =
  | { readonly status?: number; readonly body: unknown }
  | { readonly raw: string }
  | 'drop'
  | 'hang';
export type FakeRoute = (call: { body: unknown; query: URLSearchParams }) => FakeAnswer;

/** One request as the bridge got it. */
export interface Seen {
  readonly route: string;
  readonly body: unknown;
}

/** Sends frames to one subscribed viewer. */
export type Push = (frame: ServerFrame) => void;

export interface FakeBridge {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly seen: Seen[];
  /** `GET /sessions` -> answer; the path is below /api/v1 and without its query. */
  readonly routes: Record<string, FakeRoute>;
  onSubscribe: (topic: string, push: Push) => void;
  /** Runs before a wrong token is answered. */
  onWrongToken: () => Promise<void>;
  /** Ends like kill -9: every connection breaks. */
  close(): Promise<void>;
}

const unknownRoute: FakeAnswer = {
  status: 404,
  body: { error: { code: 'not_found', message: 'No such route.', next: 'Write the route.' } },
};
const badToken: FakeAnswer = {
  status: 401,
  body: { error: { code: 'bad_token', message: 'The token is wrong.', next: 'Read daemon.json again.' } },
};
const noOrigin: FakeAnswer = {
  status: 403,
  body: { error: { code: 'origin_missing', message: 'No Origin.', next: 'Send one.' } },
};

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

function reply(response: ServerResponse, answer: FakeAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'drop') response.destroy();
  else if ('raw' in answer) response.end(answer.raw);
  else
    response
      .writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer.body));
}

function serveSocket(socket: WebSocket, tickets: Set<string>, bridge: FakeBridge): void {
  const push: Push = (frame) => socket.send(JSON.stringify(frame));
  const answer = (frame: ClientFrame): void => {
    if (frame.type === 'hello' && tickets.delete(frame.ticket)) {
      push({ type: 'welcome', version: frame.version, daemon: 'fake', scopes: ['owner'], device: 'owner' });
    } else if (frame.type === 'subscribe') bridge.onSubscribe(frame.topic, push);
    else push({ type: 'error', code: 'not_allowed', message: 'The ticket is not good.' });
  };
  socket.on('message', (data) => answer(clientFrameSchema.parse(JSON.parse(String(data)))));
}

/** A bridge with real sockets and scripted routes; checks token and Origin like the real one. `port` 0 takes a free one. */
export async function startFakeBridge(port = 0): Promise<FakeBridge> {
  const tickets = new Set<string>();
  const sockets = new Set<Socket>();
  const token = `token-${Math.random()}`;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', bridge.url);
    const route = `${request.method} ${url.pathname.replace('/api/v1', '')}`;
    const body = await bodyOf(request);
    bridge.seen.push({ route, body });
    if (request.headers.authorization !== `Bearer ${token}`) {
      await bridge.onWrongToken();
      return reply(response, badToken);
    }
    if (request.method !== 'GET' && request.headers.origin !== bridge.url) return reply(response, noOrigin);
    const scripted = bridge.routes[route];
    reply(response, scripted === undefined ? unknownRoute : scripted({ body, query: url.searchParams }));
  };
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const webSockets = new WebSocketServer({ server, path: '/api/v1/ws' });
  webSockets.on('connection', (socket) => serveSocket(socket, tickets, bridge));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const taken = (server.address() as AddressInfo).port;
  const bridge: FakeBridge = {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    token,
    seen: [],
    routes: {
      'GET /health': () => ({ body: { ok: true } }),
      'POST /tickets': () => {
        const ticket = `ticket-${tickets.size}-${Math.random()}`;
        tickets.add(ticket);
        return { status: 201, body: { ticket, expiresInMs: 30_000, scopes: ['owner'] } };
      },
    },
    onSubscribe: () => undefined,
    onWrongToken: () => Promise.resolve(),
    async close() {
      for (const socket of sockets) socket.destroy();
      webSockets.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return bridge;
}
