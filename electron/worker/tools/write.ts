import * as z from 'zod/mini';
import { changeFacts, changeFile } from './change-file.ts';
import { defineTool } from './tool.ts';

const schema = z.object({ file_path: z.string(), content: z.string() });

/** Creates a file or replaces its whole content. */
export const writeTool = defineTool({
  name: 'Write',
  description:
    'Creates a file with this content, or replaces the whole content of an existing one; missing folders are made. At most 4 MB. Use Edit for changes to a part.',
  schema,
  hot: true,
  class: 'blind',
  access: 'write',
  look: ({ file_path: given, content }, context) => changeFacts(given, () => ({ content }), context),
  act: ({ content }, facts, context) => changeFile(facts, () => ({ content }), 'Wrote', context),
});
