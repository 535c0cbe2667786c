import { type CompactionPlan, planCompaction, planLeast } from './compaction-plan.ts';
import { type CompactionText, openTexts, readCompaction, renderCompaction } from './compaction-text.ts';
import { digest } from './digest.ts';
import { pinNew } from './pin-frame.ts';
import { sideRequest } from './side-request.ts';
import { compactionSystem, type SummarySource, summaryMaterial } from './summary.ts';
import { clipTokens, frameTokens, inputLimit, sumTokens, textTokens } from './tokens.ts';
import { roomOf, type Work } from './work.ts';

/** Part of what a request may have at which the context is compacted, and the most it may have afterwards. */
const fullShare = 0.8;
/** What is read to be summed up, the summary, and texts of the running turn. */
const materialShare = 0.6;
const summaryShare = 0.15;
const openShare = 0.2;
/** A summary needs no more. */
const longestSummary = 6_000;
const modelTries = 2;

/** `least`: everything goes and no model is asked, because what was tried before was still too long. */
export type CompactionWay = 'summary' | 'least';

/** `blocked`: not even the smallest digest fits beside the frame. */
export type Compacted = 'done' | 'blocked' | 'interrupted';

/** True when the context should be compacted before the next request. */
export function isFull(work: Work): boolean {
  return work.conversation.tokens(work.frame) > fullShare * roomOf(work);
}

/**
 * Replaces the older part of the context by a summary, stored before it is used, and pins the frame anew. A model that cannot
 * write it never stands in the way: the digest always can. An interrupt stores nothing.
 */
export async function compactContext(work: Work, turn: string, way: CompactionWay): Promise<Compacted> {
  const { model, conversation, port } = work;
  const room = inputLimit(model.limits);
  const made = (await summarised(work, turn, way)) ?? smallest(work, turn);
  if (port.interrupt.aborted) return 'interrupted';
  if (made === null) return 'blocked';
  const { from, text, by } = made;
  const { seq } = await port.ask('compact', { from, text, by });
  conversation.compact({ seq, from, text });
  work.frame = await pinNew(port, work.frames);
  return conversation.tokens(work.frame) <= room ? 'done' : 'blocked';
}

interface Made {
  readonly from: number;
  readonly text: string;
  readonly by: 'model' | 'digest';
}

/** A summary before a tail; null when the two would still be too long. */
async function summarised(work: Work, turn: string, way: CompactionWay): Promise<Made | null> {
  const { conversation, frame } = work;
  if (way === 'least') return null;
  const room = roomOf(work);
  const plan = planCompaction(conversation.rest, room, conversation.known);
  if (plan.dropped.length === 0) return null;
  const source = sourceOf(work, plan);
  const most = Math.min(longestSummary, Math.floor(room * summaryShare));
  const written = await write(work, source, most);
  const summary = written ?? digest(source.messages, source.earlier, most);
  const text = textOf(work, plan, turn, summary);
  const fits = frameTokens(frame) + textTokens(text) + sumTokens(plan.kept) <= room * fullShare;
  return fits ? { from: plan.from, text, by: written === null ? 'digest' : 'model' } : null;
}

/** Everything in a digest that leaves the frame its place; null when the frame alone is too large. */
function smallest(work: Work, turn: string): Made | null {
  const { conversation, model, frame } = work;
  const room = inputLimit(model.limits);
  const plan = planLeast(conversation.rest, conversation.known);
  const source = sourceOf(work, plan);
  for (const share of [summaryShare, summaryShare / 3, summaryShare / 10]) {
    const summary = digest(source.messages, source.earlier, Math.floor(room * share));
    const text = textOf(work, plan, turn, summary, share);
    if (frameTokens(frame) + textTokens(text) <= room * fullShare)
      return { from: plan.from, text, by: 'digest' };
  }
  return null;
}

function textOf(work: Work, plan: CompactionPlan, turn: string, summary: string, share = openShare): string {
  const most = Math.floor(inputLimit(work.model.limits) * share);
  return renderCompaction({ summary, turn, open: openTexts(plan.dropped, turn, earlierText(work), most) });
}

function earlierText({ conversation }: Work): CompactionText | null {
  return conversation.compaction === null ? null : readCompaction(conversation.compaction.text);
}

/** The running note is the better beginning where it reaches further than the last compaction. */
function sourceOf(work: Work, plan: CompactionPlan): SummarySource {
  const { memo, conversation } = work;
  if (memo !== null && memo.upTo >= (conversation.compaction?.from ?? 1) - 1) {
    return { earlier: memo.text, messages: plan.dropped.filter((message) => message.seq > memo.upTo) };
  }
  return { earlier: earlierText(work)?.summary ?? null, messages: plan.dropped };
}

/** The model's summary; null when it cannot or may not. A note that says it all already is taken as it is. */
async function write({ port, model }: Work, source: SummarySource, most: number): Promise<string | null> {
  if (source.messages.length === 0 && source.earlier !== null) return clipTokens(source.earlier, most, 'cut');
  if (model.write === null) return null;
  const room = inputLimit(model.limits);
  const text = summaryMaterial(source, Math.floor(room * materialShare));
  const side = { purpose: 'compaction', system: compactionSystem, text, maxOutputTokens: most } as const;
  for (let tries = 0; tries < modelTries && !port.interrupt.aborted; tries += 1) {
    const answer = await sideRequest(port, model, side, port.interrupt);
    if ('text' in answer && answer.text !== '') return clipTokens(answer.text, most, 'cut');
  }
  return null;
}
