import * as z from 'zod/mini';

const mostCharacters = 150_000;
const longestOutput = 8_000;
const mostPictures = 5;
/** Base64 of the largest picture that a model takes, and more than it: what is larger is not carried over. */
const longestPicture = 8 * 1024 * 1024;

const text = z.union([z.string(), z.array(z.string())]);
const outputSchema = z.object({
  output_type: z.string(),
  text: z.optional(text),
  data: z.optional(z.record(z.string(), z.unknown())),
  ename: z.optional(z.string()),
  evalue: z.optional(z.string()),
});
const notebookSchema = z.object({
  cells: z.array(
    z.object({
      cell_type: z.string(),
      source: text,
      execution_count: z.optional(z.nullable(z.number())),
      outputs: z.optional(z.array(outputSchema)),
    }),
  ),
});
type Cell = z.infer<typeof notebookSchema>['cells'][number];
type Output = z.infer<typeof outputSchema>;

/** Which cells: the number of the first, from 1, and how many. */
export interface CellWindow {
  readonly first: number;
  readonly limit: number;
}

/** A piece of a cell: text, or a picture as its bytes. */
export type CellPiece = string | Uint8Array;

/** The wanted cells as far as they are given at once, each as the pieces it is made of; `count`: cells of the whole notebook. */
export interface NotebookPart {
  readonly count: number;
  readonly cells: readonly (readonly CellPiece[])[];
}

/** The cells of a notebook with their outputs; null when the bytes are none (of version 4). */
export function notebookCells(bytes: Uint8Array, { first, limit }: CellWindow): NotebookPart | null {
  const all = cellsOf(bytes);
  if (all === null) return null;
  const cells: CellPiece[][] = [];
  const pictures = { left: mostPictures };
  let characters = 0;
  for (const [index, cell] of all.slice(first - 1, first - 1 + limit).entries()) {
    const pieces = cellPieces(cell, first + index, pictures);
    const length = pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length + 1 : 0), 0);
    if (cells.length > 0 && characters + length > mostCharacters) break;
    cells.push(cutPieces(pieces));
    characters += length;
  }
  return { count: all.length, cells };
}

function cellsOf(bytes: Uint8Array): readonly Cell[] | null {
  try {
    const parsed = notebookSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return parsed.success ? parsed.data.cells : null;
  } catch {
    // No JSON: it is read as the text that it is.
    return null;
  }
}

function cutPieces(pieces: readonly CellPiece[]): CellPiece[] {
  let left = mostCharacters;
  return pieces.map((piece) => {
    if (typeof piece !== 'string') return piece;
    const kept = piece.slice(0, left);
    left -= kept.length;
    return kept;
  });
}

function cellPieces(cell: Cell, number: number, pictures: { left: number }): CellPiece[] {
  const run = cell.execution_count ? `, run ${cell.execution_count}` : '';
  const head = `--- cell ${number}: ${cell.cell_type}${run} ---`;
  const outputs = (cell.outputs ?? []).flatMap((output) => outputPieces(output, pictures));
  return [head, joined(cell.source), ...outputs].filter((piece) => piece !== '');
}

function outputPieces(output: Output, pictures: { left: number }): CellPiece[] {
  if (output.output_type === 'error') return [`[error] ${output.ename ?? ''}: ${output.evalue ?? ''}`];
  const { data = {} } = output;
  const picture = ['image/png', 'image/jpeg'].map((type) => data[type]).find(isText);
  const plain = isText(data['text/plain']) ? joined(data['text/plain']) : joined(output.text ?? '');
  const said = plain.trim() === '' ? '' : `[output]\n${cut(plain.trimEnd())}`;
  return picture === undefined ? [said] : [said, pictureOf(joined(picture), pictures)];
}

function pictureOf(base64: string, pictures: { left: number }): CellPiece {
  if (pictures.left === 0) return `[picture left out: ${mostPictures} are shown at a time]`;
  if (base64.length > longestPicture) return '[picture left out: it is larger than 3.75 MB]';
  pictures.left -= 1;
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

function isText(value: unknown): value is string | string[] {
  return text.safeParse(value).success;
}

function joined(value: string | readonly string[]): string {
  return typeof value === 'string' ? value : value.join('');
}

function cut(output: string): string {
  if (output.length <= longestOutput) return output;
  return `${output.slice(0, longestOutput)}\n[${output.length - longestOutput} more characters left out]`;
}
