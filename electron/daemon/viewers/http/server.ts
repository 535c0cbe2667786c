import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { errorMessage } from '../../../../shared/base/errors.ts';
import type { Clock, Log } from '../../../../shared/base/ports.ts';

const closeGraceMs = 2_000;

/** An HTTP server for the app; it does not listen yet. */
export function createHttpServer(
  log: Log,
  fetch: (request: Request, env: HttpBindings) => Promise<Response> | Response,
): Server {
  const listener = getRequestListener((request, env) => fetch(request, env as HttpBindings), {
    overrideGlobalObjects: false,
  });
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
  // Malformed requests get Node's own 400; their bytes are nobody's business.
  server.on('clientError', (error, socket) => {
    log.debug({ reason: errorMessage(error) }, 'a request could not be read');
    refuseBytes(socket as Socket);
  });
  return server;
}

function refuseBytes(socket: Socket): void {
  if (socket.writable)
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  else socket.destroy();
}

/** Stops taking requests; those that run may end, after two seconds everything is cut. */
export function closeServer(clock: Clock, server: Server, terminateSockets: () => void): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(closeGraceMs, () => {
      terminateSockets();
      server.closeAllConnections();
    });
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}
