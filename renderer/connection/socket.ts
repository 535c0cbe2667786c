import type { Socket, SocketEvents } from '../../shared/viewing/socket.ts';

/** Opens the bridge's WebSocket at the page's own origin. */
export function openBridgeSocket(location: Location, events: SocketEvents): Socket {
  const url = new URL('/api/v1/ws', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = new WebSocket(url);
  socket.addEventListener('open', () => events.opened());
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') events.text(data);
  });
  // An error says nothing more in a browser; `close` always follows it.
  socket.addEventListener('close', ({ code }) => events.closed(code));
  return socket;
}
