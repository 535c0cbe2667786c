import type { PeerName } from './published.ts';

/** What a peer is started with; everything it writes goes below `home`. */
export interface PeerPlace {
  /** The folder whose node_modules hold it. */
  readonly folder: string;
  readonly home: string;
  /** A loopback model for both wires, `http://127.0.0.1:port`. */
  readonly modelUrl: string;
}

/** A peer that takes messages. */
export interface RunningPeer {
  readonly pid: number;
  /** Sends one and resolves when its answer is visible to whoever sent it. */
  turn(text: string): Promise<void>;
  stop(): Promise<void>;
}

/** One peer: what npm calls it, and how it is started until it is ready. */
export interface Peer {
  readonly name: PeerName;
  readonly package: string;
  start(place: PeerPlace): Promise<RunningPeer>;
}
