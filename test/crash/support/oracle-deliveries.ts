import type { ExportedEvent } from '../../support/real/kairos.ts';
import type { Evidence } from './evidence.ts';

/** Each planned delivery ends once; the platform shows it once, or it is marked as uncertain. */
export function checkDeliveries(
  evidence: Evidence,
  say: (text: string) => unknown,
): { doubled: number; uncertain: number } {
  const all = [...evidence.logs.values()].flat();
  let doubled = 0;
  let uncertain = 0;
  for (const { body } of all.filter(({ type }) => type === 'delivery.planned')) {
    const ends = all.filter((event) => isEnd(event) && event.body.effect === body.effect);
    const copies = visibleCopies(evidence, body.effect, body.class);
    const end = ends[0]?.type ?? 'none';
    if (ends.length !== 1) say(`delivery ${body.effect} has ${ends.length} ends`);
    if (copies > 1) {
      say(`delivery ${body.effect} is visible ${copies} times`);
      doubled += 1;
    }
    if (end === 'delivery.done' && copies === 0)
      say(`delivery ${body.effect} is reported as done and is not there`);
    if (end === 'delivery.failed' && copies > 0)
      say(`delivery ${body.effect} is reported as failed and is there`);
    if (end === 'delivery.uncertain') uncertain += 1;
  }
  return { doubled, uncertain };
}

function isEnd({ type }: ExportedEvent): boolean {
  return type === 'delivery.done' || type === 'delivery.failed' || type === 'delivery.uncertain';
}

/** A platform with idempotency keys shows a repeated key once; every other shows each copy. */
function visibleCopies(evidence: Evidence, effect: string, effectClass: string): number {
  const copies = evidence.platform.filter((copy) => copy.effect === effect);
  return effectClass === 'keyed' ? new Set(copies.map(({ key }) => key)).size : copies.length;
}
