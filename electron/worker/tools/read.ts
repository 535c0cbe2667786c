import { stat } from 'node:fs/promises';
import * as z from 'zod/mini';
import { errorCode } from '../../../shared/base/errors.ts';
import type { StopSignal } from '../../../shared/base/ports.ts';
import { visibleText } from '../../../shared/base/visible-text.ts';
import type { CallResult } from '../../../shared/domain/messages.ts';
import { fileKind } from './file-kind.ts';
import { HomeLinks } from './home-links.ts';
import { places } from './places.ts';
import { type ReadPart, readLimitMs, readLines } from './read-lines.ts';
import { longestNotebook, readNotebook } from './read/read-notebook.ts';
import { longestPdf, parsePages, readPdf } from './read/read-pdf.ts';
import { readPicture } from './read/read-picture.ts';
import { pictureType } from './read/picture.ts';
import { firstBytes, wholeFile } from './read/whole-file.ts';
import { pathProblem, realPathOf } from './real-path.ts';
import { defineTool, failed, ok, type ToolContext } from './tool.ts';

const mostLines = 2_000;
const mostCharacters = 150_000;

const schema = z.object({
  file_path: z.string(),
  offset: z.optional(z.int().check(z.gte(1))),
  limit: z.optional(z.int().check(z.gte(1))),
  pages: z.optional(z.string()),
});
type Input = z.infer<typeof schema>;

/** Reads a file for the model: text with line numbers, pictures, the text of PDFs, notebooks. */
export const readTool = defineTool({
  name: 'Read',
  description:
    'Reads a file (absolute path, or relative to the session directory). Text: each line with its number, at most 2000 lines; go on with offset (first line, from 1) and limit. Also pictures (png, jpeg, gif, webp), the text of PDFs (pages: "3" or "1-5", 20 at a time) and notebooks (.ipynb; offset and limit count cells).',
  schema,
  hot: true,
  class: 'pure',
  access: 'read',
  async look({ file_path: given, pages }, context) {
    if (pages !== undefined && parsePages(pages) === null) return 'pages must be like "3", "1-5" or "4-"';
    const found = await places(given, context);
    if (typeof found === 'string') return found;
    const { cwd, path, paths } = found;
    return {
      cwd,
      subject: path,
      paths: [...paths],
      preimages: [],
      preview: visibleText(path),
      description: '',
    };
  },
  async act(input, { subject: path }, context, signal) {
    try {
      const moved = (await realPathOf(path)) !== path || new HomeLinks(context.home).behind(path) !== null;
      if (moved) return failed(`"${path}" now leads somewhere else; call Read again.`);
      const kind = fileKind(await stat(path));
      if (kind === 'directory') return failed(`"${path}" is a directory, not a file. List it with Bash: ls.`);
      if (kind === 'special')
        return failed(`"${path}" is a device, pipe or socket and cannot be read as a file.`);
      return await readByKind(path, input, context, signal);
    } catch (error) {
      return failed(`"${path}" ${pathProblem(errorCode(error))}.`);
    }
  },
});

/** White space or a byte order mark may stand before it. */
const pdfMark = /^(?:\xEF\xBB\xBF)?\s*%PDF-/;
const probeBytes = 1_024;
const allPages = { first: 1, last: null };

/** What a file is says its beginning, not its name; only notebooks are known by their name. */
async function readByKind(
  path: string,
  { offset = 1, limit = mostLines, pages }: Input,
  context: ToolContext,
  signal: StopSignal,
): Promise<CallResult> {
  const { clock } = context;
  const first = await firstBytes(path, probeBytes, clock);
  if (pictureType(first) !== null) return readPicture(path, context);
  if (pdfMark.test(Buffer.from(first).toString('latin1')))
    return readPdf(path, await wholeFile(path, longestPdf, clock), parsePages(pages ?? '1-') ?? allPages, {
      clock,
      signal,
    });
  if (pages !== undefined) return failed(`"${path}" is no PDF: use offset and limit.`);
  if (path.endsWith('.ipynb')) {
    const bytes = await wholeFile(path, longestNotebook, clock);
    const cells = { first: offset, limit };
    const notebook = bytes && (await readNotebook(path, bytes, cells, context, signal));
    if (notebook !== null) return notebook;
  }
  const window = { first: offset, limit: Math.min(limit, mostLines), characters: mostCharacters };
  const part = await readLines(path, window, { clock, signal });
  switch (part) {
    case 'binary':
      return binary(path);
    case 'interrupted':
      return { outcome: 'interrupted', output: 'Stopped by an interrupt.' };
    case 'late':
      return failed(
        `Line ${offset} of "${path}" was not reached within ${readLimitMs / 1000} s. Take what you need out of it with Bash, for example: tail or cut.`,
      );
    default:
      return shown(part);
  }
}

function binary(path: string): CallResult {
  return failed(`"${path}" is a binary file. Look at it with Bash, for example: file or xxd.`);
}

function shown({ lines, first, next, cutLines }: ReadPart): CallResult {
  if (lines.length === 0) return ok(first === 1 ? '' : `[the file has fewer than ${first} lines]`);
  const numbered = lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}`).join('\n');
  const cut = cutLines === 0 ? '' : `\n[${cutLines} very long lines were cut]`;
  const more = next === null ? '' : `\n[there is more: go on with offset ${next}]`;
  return ok(`${numbered}${cut}${more}`);
}
