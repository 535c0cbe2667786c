import {
  createServer as createHttpServer,
  request as httpRequest,
  type Server as HttpServer,
} from 'node:http';
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { rm } from 'node:fs/promises';
import { errorCode, errorMessage } from '../../../../shared/base/errors.ts';
import { connectAllowed, type ProxyTerms } from './connect.ts';
import { join } from './join.ts';
import { serveSocks, socksVersion } from './socks.ts';

/** A proxy that runs: HTTP (CONNECT and plain requests) and SOCKS 5 on the same socket. */
export interface Proxy {
  /** Ends it with every connection, and removes its socket. */
  close(): Promise<void>;
}

/** Listens on a Unix socket at `path`; `address` is the same place in a form short enough for a socket. */
export async function startProxy(path: string, address: string, terms: ProxyTerms): Promise<Proxy> {
  const { close } = await serving({ path: address }, terms);
  return { close: () => close().then(() => rm(path, { force: true })) };
}

/** The same on a free port of 127.0.0.1. */
export async function startLoopbackProxy(terms: ProxyTerms): Promise<Proxy & { readonly port: number }> {
  const { server, close } = await serving({ host: '127.0.0.1', port: 0 }, terms);
  return { port: (server.address() as AddressInfo).port, close };
}

async function serving(
  place: ListenOptions,
  terms: ProxyTerms,
): Promise<Proxy & { readonly server: Server }> {
  const http = httpProxy(terms);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    sort(socket, http, terms);
  });
  await listening(server, place);
  return {
    server,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      http.closeAllConnections();
      await closed;
    },
  };
}

function listening(server: Server, place: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The first byte says which of the two it is. */
function sort(socket: Socket, http: HttpServer, terms: ProxyTerms): void {
  socket.once('data', (chunk: Buffer) => {
    socket.pause();
    socket.unshift(chunk);
    if (chunk[0] !== socksVersion) {
      http.emit('connection', socket);
      socket.resume();
    } else serveSocks(socket, terms).catch(() => socket.destroy());
  });
}

function httpProxy(terms: ProxyTerms): HttpServer {
  const server = createHttpServer();
  server.on('connect', (request, socket: Socket, head) => {
    void tunnel(request.url ?? '', socket, head, terms);
  });
  server.on('request', (request, response) => {
    void forward(request, response, terms);
  });
  return server;
}

/** `host:port`; an IPv6 address stands in brackets. */
function authority(text: string): { host: string; port: number } | null {
  const match = /^(\[[0-9a-f:.]+\]|[^:@/\s]+):(\d{1,5})$/i.exec(text);
  return match?.[1] && match[2] ? { host: match[1], port: Number(match[2]) } : null;
}

async function tunnel(target: string, socket: Socket, head: Buffer, terms: ProxyTerms): Promise<void> {
  const place = authority(target);
  if (place === null) return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  try {
    const far = await connectAllowed(place.host, place.port, terms);
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) far.write(head);
    join(socket, far);
  } catch (error) {
    const body = refusalText(error);
    const status =
      errorCode(error) === 'refused' ? '403 Forbidden by the sandbox of Kairos' : '502 Bad Gateway';
    socket.end(
      `HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
}

function refusalText(error: unknown): string {
  return `The sandbox of Kairos: ${errorMessage(error)}.\n`;
}

type Incoming = Parameters<Parameters<typeof createHttpServer>[1] & object>[0];
type Outgoing = Parameters<Parameters<typeof createHttpServer>[1] & object>[1];

/** A plain request in absolute form; it goes out over a connection that was checked like any other. */
async function forward(request: Incoming, response: Outgoing, terms: ProxyTerms): Promise<void> {
  const url = URL.parse(request.url ?? '');
  if (url?.protocol !== 'http:') {
    response
      .writeHead(400, { 'content-type': 'text/plain' })
      .end('This is a proxy: absolute http addresses only.\n');
    return;
  }
  try {
    const far = await connectAllowed(url.hostname, url.port === '' ? 80 : Number(url.port), terms);
    const { 'proxy-connection': _way, 'proxy-authorization': _who, ...headers } = request.headers;
    const onward = httpRequest(
      { method: request.method, path: `${url.pathname}${url.search}`, headers, createConnection: () => far },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  } catch (error) {
    response
      .writeHead(errorCode(error) === 'refused' ? 403 : 502, { 'content-type': 'text/plain' })
      .end(refusalText(error));
  }
}
