import { visibleText } from '../../../shared/base/visible-text.ts';
import type { CallResult } from '../../../shared/domain/messages.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import { isInside } from '../../../shared/domain/permissions/self-protection.ts';
import { boundary } from '../../node/boundary.ts';
import { changePreview } from './change-preview.ts';
import { changedSince, imageOf, type OldFile, oldFile } from './old-file.ts';
import { type Places, places } from './places.ts';
import { replaceFile } from './replace-file.ts';
import { failed, ok, type OwnFacts, type ToolContext } from './tool.ts';

/** What is written has to be read by a person first; a model's reply cannot hold more either. */
export const longestContent = 4 * 1024 * 1024;

/** The new content of a file from its old text (null = no such file, undefined = cannot be read as text), or what is wrong. */
export type NextContent = (old: string | null | undefined) => { readonly content: string } | string;

/** Facts of a call that replaces a file's content: real path, preview, and the old content (at most `largest` bytes) as preimage. */
export async function changeFacts(
  given: string,
  next: NextContent,
  context: ToolContext,
  largest?: number,
): Promise<OwnFacts | string> {
  const found = await places(given, context);
  if (typeof found === 'string') return found;
  const { cwd, path, paths } = found;
  const old = await oldFile(path, context.clock, largest);
  if (old.kind === 'problem') return old.message;
  const wanted = next(old.kind === 'absent' ? null : (old.text ?? undefined));
  if (typeof wanted === 'string')
    return isOpen(path, cwd, context) ? `"${path}" ${wanted}` : unmade(found, old);
  const bytes = Buffer.byteLength(wanted.content);
  if (bytes > longestContent) {
    return `"${path}" would have ${bytes} bytes; at most ${longestContent / 1024 / 1024} MB can be written at once, more with Bash`;
  }
  const preview = await changePreview(path, old, wanted.content);
  const preimages = [{ path, sha256: imageOf(old) }];
  return { cwd, subject: path, paths: [...paths], preimages, preview, description: '' };
}

/** What the agent reads unasked in any case. */
function isOpen(path: string, cwd: string, { scratch, home }: ToolContext): boolean {
  return isInside(path, scratch) || (isInside(path, cwd) && !isInside(path, home));
}

/** Whether a piece of text stands in a file, and how often, is something to be decided on before it is told. */
function unmade({ cwd, path, paths }: Places, old: Exclude<OldFile, { kind: 'problem' }>): OwnFacts {
  const preview = visibleText(
    `${path}\nThis change cannot be made; the agent is told why once it was allowed.`,
  );
  return {
    cwd,
    subject: path,
    paths: [...paths],
    preimages: [{ path, sha256: imageOf(old) }],
    preview,
    description: '',
  };
}

/** Makes the change that the facts describe; a file that is no longer what was shown is left alone. */
export async function changeFile(
  facts: CallFacts,
  next: NextContent,
  done: string,
  context: ToolContext,
): Promise<CallResult> {
  const path = facts.subject;
  const old = await oldFile(path, context.clock);
  if (old.kind === 'problem') return failed(`${old.message}.`);
  const sha256 = facts.preimages[0]?.sha256 ?? null;
  if (imageOf(old) !== sha256) return failed(changedSince(path));
  const wanted = next(old.kind === 'absent' ? null : (old.text ?? undefined));
  if (typeof wanted === 'string') return failed(`"${path}" ${wanted}`);
  boundary('tool.execute', 'before');
  const problem = await replaceFile({ path, sha256, content: wanted.content }, context);
  boundary('tool.execute', 'after');
  return problem === null ? ok(`${done} ${path}.`) : failed(problem);
}
