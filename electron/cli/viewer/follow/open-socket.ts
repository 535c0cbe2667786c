import { WebSocket } from 'ws';
import { type DaemonFile, limits } from '../../../../shared/protocol/bridge.ts';
import type { Socket, SocketEvents } from '../../../../shared/viewing/socket.ts';

/** Opens the WebSocket of a daemon; `closed` comes once, also when it could not be opened. */
export function openSocket(daemon: DaemonFile, events: SocketEvents): Socket {
  const url = new URL('/api/v1/ws', daemon.url);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url, {
    // A little more than the daemon promises, so that a frame at the limit with its framing still passes.
    maxPayload: 4 * limits.frameBytes,
    perMessageDeflate: false,
    origin: new URL(daemon.url).origin,
    handshakeTimeout: 10_000,
  });
  socket.on('open', () => events.opened());
  socket.on('message', (data, isBinary) => {
    if (!isBinary) events.text(String(data));
  });
  // `close` follows and says that it is over.
  socket.on('error', () => undefined);
  socket.on('close', (code) => events.closed(code));
  return {
    send: (text) => socket.send(text, () => undefined),
    close: () => socket.terminate(),
  };
}
