import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorMessage } from '../../../../shared/base/errors.ts';
import { oneLine } from '../../../../shared/base/visible-text.ts';
import {
  attachmentLimits,
  type FoundAttachment,
  type LostAttachment,
} from '../../../../shared/domain/attachments.ts';
import type { CallFacts } from '../../../../shared/domain/permissions/call-facts.ts';
import { isInside } from '../../../../shared/domain/permissions/self-protection.ts';
import { absolutePath, realPathOf } from '../real-path.ts';
import type { ToolContext } from '../tool.ts';
import { mediaTypeOf } from './media-type.ts';

async function realPlace(path: string, cwd: string): Promise<string | { readonly problem: string }> {
  try {
    return await realPathOf(absolutePath(path, cwd, process.env.HOME));
  } catch (error) {
    // The sentence names the path, which stands before it here.
    return { problem: errorMessage(error).replace(/^".*" /s, '') };
  }
}

/** A folder that is not there holds nothing: its name is as good. */
function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

type Files = NonNullable<CallFacts['files']>;

/**
 * Finds the files that are to go with a message and has each stored before it. What is outside of the session's directory and its
 * scratch folder is not even read; the daemon looks again at what was found. Nothing of a file that fails holds the others up.
 */
export async function findAttachments(
  paths: readonly string[],
  cwd: string,
  context: Pick<ToolContext, 'scratch' | 'home' | 'keepFile'>,
): Promise<Files> {
  const found: FoundAttachment[] = [];
  const lost: LostAttachment[] = [];
  for (const path of new Set(paths)) {
    const looked = await findOne(path, cwd, context, found.length);
    if (typeof looked === 'string') lost.push({ path, reason: looked });
    else found.push(looked);
  }
  return { found, lost };
}

async function findOne(
  path: string,
  cwd: string,
  { scratch, home, keepFile }: Pick<ToolContext, 'scratch' | 'home' | 'keepFile'>,
  before: number,
): Promise<FoundAttachment | string> {
  if (before >= attachmentLimits.count)
    return `is one too many: ${attachmentLimits.count} files go with a message`;
  const real = await realPlace(path, cwd);
  if (typeof real !== 'string') return real.problem;
  const inScratch = isInside(real, await realFolder(scratch));
  if (!inScratch && isInside(real, await realFolder(home))) return "is in Kairos's own home";
  if (!inScratch && !isInside(real, cwd)) return 'is outside of the session directory';
  const kept = await keepFile(real);
  if ('refused' in kept) return kept.refused;
  const name = oneLine(basename(real), 200);
  return { path, real, file: { ...kept, name, mediaType: mediaTypeOf(real) } };
}
