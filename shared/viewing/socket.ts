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
