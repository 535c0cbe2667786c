import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Cancel } from '../../../../shared/base/ports.ts';
import { limits } from '../../../../shared/protocol/bridge.ts';
import { refusalBody } from '../http/answers.ts';
import type { Refusal } from '../checks/request-checks.ts';
import { Connection, type ConnectionPorts } from './connection.ts';

/** Every so often each connection is asked for a sign of life (ms). */
const probeMs = 30_000;
const maxConnections = 256;
const path = '/api/v1/ws';

/** The WebSocket side of the bridge. */
export interface SocketServer {
  /** Takes over an HTTP upgrade; refuses what `check` refuses, other paths and more than 256 connections. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  readonly size: number;
  /** Ids of the devices that are connected. */
  devices(): ReadonlySet<string>;
  /** Closes the connections of a device, or those of the owner token (null). */
  disconnect(device: string | null, code: number, reason: string): void;
  /** Says goodbye to everybody; `terminate` ends those that did not answer. */
  close(): void;
  terminate(): void;
}

/** What every connection works with, and what an upgrade has to pass. */
export interface SocketServerOptions extends Omit<ConnectionPorts, 'closed' | 'redeem'> {
  /** Checks Host, Origin and query of an upgrade. */
  check(request: IncomingMessage): Refusal | null;
  redeem(ticket: string, remote: string): ReturnType<ConnectionPorts['redeem']>;
}

/** A server that waits for upgrades; it has no port of its own. */
export function createSocketServer(options: SocketServerOptions): SocketServer {
  const { clock } = options;
  // Frames are small and local: compression costs memory per connection and gains nothing.
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.frameBytes,
    perMessageDeflate: false,
    clientTracking: false,
    // One frame of a viewer per turn of the event loop: a flood of them would hold up everybody else for seconds.
    allowSynchronousEvents: false,
  });
  const connections = new Set<Connection>();
  let cancelProbe: Cancel | null = null;

  const probe = (): void => {
    cancelProbe = connections.size === 0 ? null : clock.after(probeMs, probe, { keepAlive: false });
    for (const connection of connections) connection.probe();
  };
  const refusalOf = (request: IncomingMessage): Refusal | null => {
    const refusal = options.check(request);
    if (refusal !== null) return refusal;
    if (request.url?.split('?')[0] !== path) return unknownPath;
    return connections.size >= maxConnections ? tooMany : null;
  };
  return {
    get size() {
      return connections.size;
    },
    upgrade(request, socket, head) {
      const refusal = refusalOf(request);
      if (refusal !== null) return refuse(socket, refusal);
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const remote = request.socket.remoteAddress ?? '';
        const connection = new Connection(webSocket, {
          ...options,
          redeem: (ticket) => options.redeem(ticket, remote),
          closed: (ended) => void connections.delete(ended),
        });
        connections.add(connection);
        cancelProbe ??= clock.after(probeMs, probe, { keepAlive: false });
      });
    },
    devices: () => new Set([...connections].flatMap(({ principal }) => principal?.device?.id ?? [])),
    disconnect(device, code, reason) {
      for (const connection of connections) {
        const { principal } = connection;
        if (principal !== null && (principal.device?.id ?? null) === device) connection.close(code, reason);
      }
    },
    close() {
      cancelProbe?.();
      for (const connection of connections) connection.close(1001, 'the daemon stops');
      server.close();
    },
    terminate() {
      for (const connection of connections) connection.terminate();
    },
  };
}

const unknownPath: Refusal = {
  status: 404,
  code: 'not_found',
  message: 'There is no WebSocket at this address.',
  next: `The WebSocket is at ${path}.`,
};
const tooMany: Refusal = {
  status: 429,
  code: 'too_many',
  message: `More than ${maxConnections} viewers are connected.`,
  next: 'Close some and try again.',
};

function refuse(socket: Duplex, refusal: Refusal): void {
  const body = JSON.stringify(refusalBody(refusal));
  const head = `HTTP/1.1 ${refusal.status} Refused\r\nConnection: close\r\nContent-Type: application/json\r\n`;
  socket.on('error', () => socket.destroy());
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
