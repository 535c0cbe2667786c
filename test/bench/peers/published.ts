/** Peers of the published table: pi, Claude Code (stream-json), opencode serve, the OpenClaw gateway. */
export const peerNames = ['pi', 'claude', 'opencode', 'openclaw'] as const;
export type PeerName = (typeof peerNames)[number];

/** Figures of one measure, in the order of `peerNames`; null was not measured. */
interface Published {
  readonly unit: string;
  readonly values: readonly [number | null, number | null, number | null, number | null];
}

/** What was measured of peers on a 2-core machine of the kind this is built on, against a loopback model that answers at once. */
export const published = {
  'start -> ready': { unit: 'ms', values: [753, null, 4_018, 20_769] },
  'idle memory': { unit: 'MB', values: [76, 150, 304, 984] },
  'memory after 50 turns': { unit: 'MB', values: [125, 224, 597, 1_288] },
  'idle CPU over 60 s': { unit: 'ms', values: [0, 70, 1_790, 710] },
  'message -> model request': { unit: 'ms', values: [8.5, 37, 125, 532] },
  'first turn after start': { unit: 'ms', values: [105, 156, 5_106, 10_119] },
  'last byte -> visible': { unit: 'ms', values: [3.4, 10, 46, 77] },
  'tool call -> next request': { unit: 'ms', values: [35, 61, 205, 115] },
  'CPU per turn': { unit: 'ms', values: [null, 50, 170, 570] },
  'first request': { unit: 'bytes', values: [5_437, 49_252, 30_728, 63_027] },
  'size of the first request': { unit: 'tokens', values: [1_149, 10_892, 6_726, 13_762] },
  'installed size': { unit: 'MB', values: [168, 384, 354, 647] },
} as const satisfies Readonly<Record<string, Published>>;

/** A figure that exists of peers too. */
export type Measure = keyof typeof published;

/** The published figure of a peer; null was not measured. */
export function publishedOf(measure: Measure, peer: PeerName): number | null {
  return published[measure].values[peerNames.indexOf(peer)] ?? null;
}
