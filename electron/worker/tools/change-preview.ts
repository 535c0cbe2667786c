import { visibleText } from '../../../shared/base/visible-text.ts';
import type { OldFile } from './old-file.ts';

/** Above this many changed lines a diff takes long and helps nobody: the whole new content is shown instead. */
const mostEdits = 4_000;

/** What a person has to see before a file is created or changed: its real path, and the whole content or a unified diff. */
export async function changePreview(
  path: string,
  old: Exclude<OldFile, { kind: 'problem' }>,
  next: string,
): Promise<string> {
  if (old.kind === 'absent') return visibleText(`${path}\nnew file:\n\n${next}`);
  if (old.text === null)
    return visibleText(`${path}\nreplaces ${old.bytes} bytes that cannot be shown by:\n\n${next}`);
  if (old.text === next) return visibleText(`${path}\nno change`);
  const patch = await unifiedDiff(path, old.text, next);
  return visibleText(patch ?? `${path}\nreplaces the whole content (${old.bytes} bytes) by:\n\n${next}`);
}

async function unifiedDiff(path: string, before: string, after: string): Promise<string | null> {
  // Loaded only when a file is changed: a worker that never does stays smaller.
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import('diff');
  const options = { context: 3, maxEditLength: mostEdits, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(path, path, before, after, undefined, undefined, options) ?? null;
}
