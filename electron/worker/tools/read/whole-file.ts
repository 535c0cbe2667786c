import type { Clock } from '../../../../shared/base/ports.ts';
import { readPieces } from '../read-pieces.ts';

/** The beginning of a file, at most `most` bytes. Throws as `readPieces` does. */
export async function firstBytes(path: string, most: number, clock: Clock): Promise<Uint8Array> {
  let first = new Uint8Array();
  await readPieces(path, clock, (piece) => {
    first = Uint8Array.from(piece.subarray(0, most));
    return false;
  });
  return first;
}

/** A whole file in memory, null when it has more than `most` bytes. Throws as `readPieces` does. */
export async function wholeFile(path: string, most: number, clock: Clock): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  await readPieces(path, clock, (piece) => {
    bytes += piece.length;
    if (bytes <= most) pieces.push(Uint8Array.from(piece));
    return bytes <= most;
  });
  return bytes > most ? null : new Uint8Array(Buffer.concat(pieces));
}
