import * as z from 'zod/mini';
import type { CallResult, ImageRef } from '../../../../shared/domain/messages.ts';
import type { ToolContext } from '../tool.ts';
import { storePicture } from './read-picture.ts';
import { wholeFile } from './whole-file.ts';

const longestNotebook = 20 * 1024 * 1024;
const mostCharacters = 150_000;
const longestOutput = 8_000;
const mostPictures = 5;

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

/** The cells of a notebook with their outputs; null when the file is none (of version 4). Throws as `readPieces` does. */
export async function readNotebook(
  path: string,
  { first, limit }: CellWindow,
  context: ToolContext,
): Promise<CallResult | null> {
  const bytes = await wholeFile(path, longestNotebook, context.clock);
  const cells = bytes === null ? null : cellsOf(bytes);
  if (cells === null) return null;
  const images: ImageRef[] = [];
  const parts: string[] = [];
  let characters = 0;
  for (const [index, cell] of cells.entries()) {
    if (index + 1 < first || parts.length >= limit) continue;
    const part = await cellText(cell, index + 1, images, context);
    if (parts.length > 0 && characters + part.length > mostCharacters) break;
    parts.push(part.slice(0, mostCharacters));
    characters += part.length;
  }
  return {
    outcome: 'ok',
    output: shown(parts, first, cells.length),
    ...(images.length > 0 ? { images } : {}),
  };
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

function shown(parts: readonly string[], first: number, count: number): string {
  const next = first + parts.length;
  const head = `[notebook, ${count} ${count === 1 ? 'cell' : 'cells'}]`;
  if (parts.length === 0) return first === 1 ? head : `[the notebook has fewer than ${first} cells]`;
  const more = next <= count ? `\n[there is more: go on with offset ${next} (cells)]` : '';
  return `${head}\n${parts.join('\n')}${more}`;
}

async function cellText(
  cell: Cell,
  number: number,
  images: ImageRef[],
  context: ToolContext,
): Promise<string> {
  const run = cell.execution_count ? `, run ${cell.execution_count}` : '';
  const lines = [`--- cell ${number}: ${cell.cell_type}${run} ---`, joined(cell.source)];
  for (const output of cell.outputs ?? []) lines.push(await outputText(output, images, context));
  return lines.filter((line) => line !== '').join('\n');
}

async function outputText(output: Output, images: ImageRef[], context: ToolContext): Promise<string> {
  if (output.output_type === 'error') return `[error] ${output.ename ?? ''}: ${output.evalue ?? ''}`;
  const { data = {} } = output;
  const picture = ['image/png', 'image/jpeg'].map((type) => data[type]).find(isText);
  const plain = isText(data['text/plain']) ? joined(data['text/plain']) : joined(output.text ?? '');
  const seen = picture === undefined ? '' : await pictureText(joined(picture), images, context);
  const said = plain.trim() === '' ? '' : `[output]\n${cut(plain.trimEnd())}`;
  return [said, seen].filter((line) => line !== '').join('\n');
}

async function pictureText(base64: string, images: ImageRef[], context: ToolContext): Promise<string> {
  if (images.length >= mostPictures) return `[picture left out: ${mostPictures} are shown at a time]`;
  const stored = await storePicture(new Uint8Array(Buffer.from(base64, 'base64')), context);
  if ('problem' in stored) return `[picture left out: it ${stored.problem}]`;
  images.push(stored.image);
  return stored.text;
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
