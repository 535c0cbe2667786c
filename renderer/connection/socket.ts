/** What a socket tells its owner. `closed` is the last thing and comes once. */
export interface SocketEvents {
  opened(): void;
  text(data: string): void;
  closed(code: number): void;
}

/** The part of a WebSocket that the connection uses, so that tests can stand in for it. */
export interface Socket {
  send(text: string): void;
  close(): void;
}

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
