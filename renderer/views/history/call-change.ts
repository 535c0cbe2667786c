import { isObject } from '../../../shared/base/json.ts';

/** What a call changes in a file, as the person should see it: a diff of the pieces, or the whole new file. */
export interface CallChange {
  readonly path: string;
  readonly pieces: readonly { readonly before: string; readonly after: string }[];
}

/** The change that the input of an editing call describes; null for every other call. */
export function callChange(tool: string, input: unknown): CallChange | null {
  if (!isObject(input) || typeof input.file_path !== 'string') return null;
  const { file_path: path } = input;
  switch (tool) {
    case 'Write':
      return typeof input.content === 'string'
        ? { path, pieces: [{ before: '', after: input.content }] }
        : null;
    case 'Edit':
      return one(path, [input]);
    case 'MultiEdit':
      return Array.isArray(input.edits) ? one(path, input.edits) : null;
    default:
      return null;
  }
}

function one(path: string, edits: readonly unknown[]): CallChange | null {
  const pieces = edits.flatMap((edit) =>
    isObject(edit) && typeof edit.old_string === 'string' && typeof edit.new_string === 'string'
      ? [{ before: edit.old_string, after: edit.new_string }]
      : [],
  );
  return pieces.length === edits.length && pieces.length > 0 ? { path, pieces } : null;
}

/**
 * The change as a unified diff. Where the piece stands in its file the call does not say, so its lines are counted from 1; the
 * real numbers stood in what was decided on.
 */
export function changeDiff(
  { path, pieces }: CallChange,
  create: (name: string, before: string, after: string) => string,
): string {
  return pieces.map(({ before, after }) => create(path, withEnd(before), withEnd(after))).join('\n');
}

function withEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
