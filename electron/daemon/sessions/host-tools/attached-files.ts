import {
  type Attachment,
  attachmentLimits,
  type FoundAttachment,
  type LostAttachment,
} from '../../../../shared/domain/attachments.ts';
import type { CallFacts } from '../../../../shared/domain/permissions/call-facts.ts';
import { decide } from '../../../../shared/domain/permissions/policy.ts';
import { isInside } from '../../../../shared/domain/permissions/self-protection.ts';
import type { FilePlaces } from './host-input.ts';

/** Files that go with a message, and those that cannot. */
export interface CheckedFiles {
  readonly sent: readonly Attachment[];
  readonly lost: readonly LostAttachment[];
}

/** Of the files that the worker found, those that may be sent; nobody is asked, what may not be is told with its reason. */
export function checkedFiles({ files, ...facts }: CallFacts, places: FilePlaces): CheckedFiles {
  const sent: Attachment[] = [];
  const lost: LostAttachment[] = [...(files?.lost ?? [])];
  for (const found of files?.found ?? []) {
    const reason = sent.length >= attachmentLimits.count ? tooMany : whyNot(found, facts, places);
    if (reason === null) sent.push(found.file);
    else lost.push({ path: found.path, reason });
  }
  return { sent, lost };
}

const tooMany = `is one too many: ${attachmentLimits.count} files go with a message`;

function whyNot({ real, file }: FoundAttachment, facts: CallFacts, places: FilePlaces): string | null {
  const { dir, ownScratch, self } = places;
  const inScratch = ownScratch !== undefined && isInside(real, ownScratch);
  if (isInside(real, self.home) && !inScratch) return "is in Kairos's own home";
  if (!inScratch && !isInside(real, dir)) return 'is outside of the session directory';
  if (file.bytes > attachmentLimits.bytes) return 'is larger than 30 MB';
  const reading: CallFacts = { ...facts, tool: 'Read', access: 'read', subject: real, paths: [real] };
  const decision = decide({ ...places, facts: reading, mode: 'default' });
  return decision.behavior === 'allow' ? null : `may not be read (${decision.rule ?? decision.by})`;
}

/** What became of the files, for the model; empty when there were none. */
export function filesText(sent: readonly Attachment[], lost: readonly LostAttachment[]): string {
  const carried = sent.length === 0 ? [] : [`With: ${sent.map(({ name }) => name).join(', ')}.`];
  return [...carried, ...lost.map(({ path, reason }) => `Not sent: "${path}" ${reason}.`)].join(' ');
}
