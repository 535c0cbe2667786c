import type { CallResult, ImageRef } from '../../../../shared/domain/messages.ts';
import type { StopSignal } from '../../../../shared/base/ports.ts';
import { assertNever } from '../../../../shared/base/assert-never.ts';
import type { CellPiece, CellWindow, NotebookPart } from '../parsing/notebook-cells.ts';
import { parseApart } from '../parsing/parse-apart.ts';
import { failed, type ToolContext } from '../tool.ts';
import { storePicture } from './read-picture.ts';

/** Bytes of a notebook that is read as one; a larger one is read as text. */
export const longestNotebook = 20 * 1024 * 1024;

/** The cells of a notebook with their outputs; null when the bytes are none, or are read as text as they are too many to parse. */
export async function readNotebook(
  path: string,
  bytes: Uint8Array,
  window: CellWindow,
  context: ToolContext,
  signal: StopSignal,
): Promise<CallResult | null> {
  const end = await parseApart({ kind: 'notebook', body: bytes, window }, { clock: context.clock, signal });
  switch (end.kind) {
    case 'done':
      return end.answer === null ? null : shown(end.answer, window.first, context);
    case 'interrupted':
      return { outcome: 'interrupted', output: 'Stopped by an interrupt.' };
    case 'late':
    case 'memory':
      return null;
    case 'failed':
      return failed(`"${path}" cannot be read as a notebook (${end.reason}).`);
    default:
      return assertNever(end, 'end of parsing');
  }
}

async function shown(
  { cells, count }: NotebookPart,
  first: number,
  context: ToolContext,
): Promise<CallResult> {
  const images: ImageRef[] = [];
  const parts: string[] = [];
  for (const cell of cells) for (const piece of cell) parts.push(await pieceText(piece, images, context));
  const next = first + cells.length;
  const head = `[notebook, ${count} ${count === 1 ? 'cell' : 'cells'}]`;
  const more = next <= count ? [`[there is more: go on with offset ${next} (cells)]`] : [];
  const none = first === 1 ? head : `[the notebook has fewer than ${first} cells]`;
  const output = parts.length === 0 ? none : [head, ...parts, ...more].join('\n');
  return { outcome: 'ok', output, ...(images.length > 0 ? { images } : {}) };
}

async function pieceText(piece: CellPiece, images: ImageRef[], context: ToolContext): Promise<string> {
  if (typeof piece === 'string') return piece;
  const stored = await storePicture(piece, context);
  if ('problem' in stored) return `[picture left out: it ${stored.problem}]`;
  images.push(stored.image);
  return stored.text;
}
