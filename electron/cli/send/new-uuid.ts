import type { Ids } from '../../../shared/base/ports.ts';

/** A random UUID (version 4): the identity of a message before anything has stored it. */
export function newUuid(ids: Ids): string {
  const hex = ids.random(16).split('');
  hex[12] = '4';
  hex[16] = '89ab'[Number.parseInt(hex[16] ?? '0', 16) & 3] ?? '8';
  const text = hex.join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
    '-',
  );
}
