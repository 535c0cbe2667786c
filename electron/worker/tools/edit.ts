import * as z from 'zod/mini';
import { changeFacts, changeFile, longestContent, type NextContent } from './change-file.ts';
import { textLimit } from './old-file.ts';
import { defineTool } from './tool.ts';

const schema = z.object({
  file_path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.optional(z.boolean()),
});

/** Replaces one exact piece of a file's text, or all equal pieces. */
export const editTool = defineTool({
  name: 'Edit',
  description:
    'Replaces old_string by new_string in a text file. old_string must be exactly what stands there and occur once; with replace_all every occurrence is replaced.',
  schema,
  hot: true,
  class: 'blind',
  access: 'write',
  look: (input, context) => changeFacts(input.file_path, edited(input), context, textLimit),
  act: (input, facts, context) => changeFile(facts, edited(input), 'Changed', context),
});

/** One replacement as a model asks for it. */
export interface Replacing {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
}

/** The content after the edit, or why it cannot be made. */
export function edited({
  old_string: before,
  new_string: after,
  replace_all: all = false,
}: Replacing): NextContent {
  return (old) => {
    if (before === '') return 'cannot be edited: old_string is empty; use Write for a new file';
    if (before === after) return 'would not change: old_string and new_string are equal';
    if (old === null) return 'does not exist';
    if (old === undefined) return 'is binary and cannot be edited';
    const pieces = old.split(before);
    const count = pieces.length - 1;
    if (count === 0) return `does not contain old_string${hint(old, before)}`;
    if (count > 1 && !all) {
      return `contains old_string ${count} times: give more of the text around it, or set replace_all`;
    }
    // Told before it is made: many edits that each double a text fill any memory.
    if (old.length + count * (after.length - before.length) > longestContent)
      return `would be larger than ${longestContent / 1024 / 1024} MB, the most that can be written at once; more with Bash`;
    return { content: pieces.join(after) };
  };
}

function hint(old: string, before: string): string {
  const otherEnds = old.includes('\r\n') && old.replaceAll('\r\n', '\n').includes(before);
  return otherEnds ? '; its lines end in CR LF, write them so' : '; read the file again and copy it exactly';
}
