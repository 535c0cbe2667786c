import type { Figure } from '../row.ts';
import type { PeerFigures } from './measure-peer.ts';
import { type Measure, type PeerName, peerNames, published, publishedOf } from './published.ts';

function shown(value: number | null | undefined): string {
  if (value === null || value === undefined) return '-';
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
}

/** The best of several figures of ours for one measure would flatter: the worst stands. */
function oursFor(measure: Measure, figures: readonly Figure[]): number | undefined {
  const values = figures.flatMap((figure) => (figure.measure === measure ? [figure.value] : []));
  return values.length === 0 ? undefined : Math.max(...values);
}

function cell(
  measure: Measure,
  peer: PeerName,
  ours: number,
  measured: ReadonlyMap<PeerName, PeerFigures>,
): string {
  const now = measured.get(peer)?.[measure];
  const value = now ?? publishedOf(measure, peer);
  if (value === null) return '-';
  const ratio = now === undefined || ours <= 0 ? '' : ` x${(now / ours).toFixed(1)}`;
  return `${shown(value)}${now === undefined ? '' : '*'}${ratio}`;
}

/** Our figures beside the peers', one line a measure; those measured in this run have a star and how many times ours they are. */
export function peersTable(
  figures: readonly Figure[],
  measured: ReadonlyMap<PeerName, PeerFigures>,
): readonly string[] {
  const measures = (Object.keys(published) as Measure[]).filter(
    (measure) => oursFor(measure, figures) !== undefined,
  );
  if (measures.length === 0) return [];
  const head = ['beside the peers', 'kairos', ...peerNames];
  const lines = measures.map((measure) => {
    const ours = oursFor(measure, figures) ?? Number.NaN;
    const peers = peerNames.map((peer) => cell(measure, peer, ours, measured));
    return [`${measure} (${published[measure].unit})`, shown(ours), ...peers];
  });
  return [head, ...lines].map(([name = '', ...cells]) =>
    `  ${name.padEnd(34)}${cells.map((text) => text.padStart(16)).join('')}`.trimEnd(),
  );
}
