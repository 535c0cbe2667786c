import { stat } from 'node:fs/promises';
import * as z from 'zod/mini';
import { errorCode } from '../../../shared/base/errors.ts';
import { visibleText } from '../../../shared/base/visible-text.ts';
import type { CallResult } from '../../../shared/domain/messages.ts';
import { fileKind } from './file-kind.ts';
import { places } from './places.ts';
import { type ReadPart, readLines } from './read-lines.ts';
import { pathProblem, realPathOf } from './real-path.ts';
import { defineTool, failed, ok } from './tool.ts';

const mostLines = 2_000;
/** With line numbers and JSON escapes this fits a frame of 256 KB; text that does not is cut again before it is sent. */
const mostCharacters = 150_000;

const schema = z.object({
  file_path: z.string(),
  offset: z.optional(z.int().check(z.gte(1))),
  limit: z.optional(z.int().check(z.gte(1))),
});

/** Reads a text file with line numbers. */
export const readTool = defineTool({
  name: 'Read',
  description:
    'Reads a text file; each line comes with its number and a tab. At most 2000 lines and 150000 characters at a time: go on with offset (first line, from 1) and limit. Paths are absolute or relative to the session directory.',
  schema,
  hot: true,
  class: 'pure',
  access: 'read',
  async look({ file_path: given }, context) {
    const found = await places(given, context);
    if (typeof found === 'string') return found;
    const { cwd, path } = found;
    return { cwd, subject: path, paths: [path], preimages: [], preview: visibleText(path), description: '' };
  },
  async act({ offset = 1, limit = mostLines }, { subject: path }, { clock }) {
    try {
      if ((await realPathOf(path)) !== path)
        return failed(`"${path}" now leads somewhere else; call Read again.`);
      const kind = fileKind(await stat(path));
      if (kind === 'directory') return failed(`"${path}" is a directory, not a file. List it with Bash: ls.`);
      if (kind === 'special')
        return failed(`"${path}" is a device, pipe or socket and cannot be read as a file.`);
      const window = { first: offset, limit: Math.min(limit, mostLines), characters: mostCharacters };
      const part = await readLines(path, window, clock);
      return part === 'binary' ? binary(path) : shown(part);
    } catch (error) {
      return failed(`"${path}" ${pathProblem(errorCode(error))}.`);
    }
  },
});

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
