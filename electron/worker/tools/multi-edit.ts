import * as z from 'zod/mini';
import { changeFacts, changeFile, type NextContent } from './change-file.ts';
import { edited, type Replacing } from './edit.ts';
import { textLimit } from './old-file.ts';
import { defineTool } from './tool.ts';

const schema = z.object({
  file_path: z.string(),
  edits: z
    .array(
      z.object({
        old_string: z.string(),
        new_string: z.string(),
        replace_all: z.optional(z.boolean()),
      }),
    )
    .check(z.minLength(1), z.maxLength(200)),
});

/** Several replacements in one file, made together or not at all. */
export const multiEditTool = defineTool({
  name: 'MultiEdit',
  topic: 'several edits of a file at once',
  description:
    'Makes several Edits in one text file, one after the other, all or none: each works on what the one before left. Each old_string must occur once, or set replace_all.',
  schema,
  class: 'blind',
  access: 'write',
  look: ({ file_path: given, edits }, context) =>
    changeFacts(given, editedInOrder(edits), context, textLimit),
  act: ({ edits }, facts, context) => changeFile(facts, editedInOrder(edits), 'Changed', context),
});

/** The content after all edits, or what is wrong with the first that cannot be made. */
function editedInOrder(edits: readonly Replacing[]): NextContent {
  return (old) => {
    let text = old;
    for (const [index, edit] of edits.entries()) {
      const next = edited(edit)(text);
      if (typeof next === 'string')
        return edits.length === 1 ? next : `${next} (edit ${index + 1} of ${edits.length}; none was made)`;
      text = next.content;
    }
    return text === old ? 'would not change: the edits undo each other' : { content: text ?? '' };
  };
}
