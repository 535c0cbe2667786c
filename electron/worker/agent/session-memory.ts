import type { StopSignal } from '../../../shared/base/ports.ts';
import { readCompaction } from './compaction-text.ts';
import { sideRequest } from './side-request.ts';
import { memoSystem, summaryMaterial } from './summary.ts';
import { clipTokens, inputLimit, sumTokens } from './tokens.ts';
import type { Work } from './work.ts';

/** A note is written after so many new tokens, or this part of a small window. */
const newTokens = 8_000;
const newShare = 0.1;
const longestNote = 2_000;
const materialShare = 0.5;

/**
 * Keeps the running note of a session (behaviour 4) while it has nothing else to do. It never delays a step: a new one begins
 * beside it, and a worker that lets go abandons it.
 */
export class SessionMemory {
  #underWay: Promise<void> | null = null;
  /** Up to this seq a note was tried in vain: the next one waits for as much again. */
  #triedUpTo = 0;

  /** Begins a note in the background when enough is new. */
  consider(work: Work, stop: StopSignal): void {
    if (this.#underWay !== null || stop.aborted || !isWanted(work)) return;
    const upTo = work.conversation.known;
    const since = Math.max(work.memo?.upTo ?? 0, this.#triedUpTo);
    const fresh = sumTokens(work.conversation.rest.filter((message) => message.seq > since));
    if (fresh < Math.min(newTokens, inputLimit(work.model.limits) * newShare)) return;
    this.#triedUpTo = upTo;
    this.#underWay = this.#write(work, upTo, stop)
      // The link is gone or the lease is over: the next runner writes its own.
      .catch(() => undefined)
      .finally(() => {
        this.#underWay = null;
      });
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.#underWay;
  }

  async #write(work: Work, upTo: number, stop: StopSignal): Promise<void> {
    const { port, model, conversation, memo } = work;
    const earlier = further(memo, compacted(conversation.compaction));
    const messages = conversation.rest.filter(
      (message) => message.seq > (earlier?.upTo ?? 0) && message.seq <= upTo,
    );
    const room = inputLimit(model.limits);
    const most = Math.min(longestNote, Math.floor(room * newShare));
    const text = summaryMaterial(
      { earlier: earlier?.text ?? null, messages },
      Math.floor(room * materialShare),
    );
    const side = { purpose: 'memo', system: memoSystem, text, maxOutputTokens: most } as const;
    const answer = await sideRequest(port, model, side, stop);
    if ('failed' in answer || answer.text === '' || stop.aborted) return;
    const note = { upTo, text: clipTokens(answer.text, most, 'cut') };
    await port.ask('memo', note);
    work.memo = note;
  }
}

function isWanted({ model, port }: Work): boolean {
  return model.write !== null && model.contextNeed === 'all' && port.lease.loop?.sessionMemory !== false;
}

/** Of a note and a compaction the one that covers more: it was made of the other. */
function further(memo: Work['memo'], summary: Work['memo']): Work['memo'] {
  if (memo === null || summary === null) return memo ?? summary;
  return memo.upTo >= summary.upTo ? memo : summary;
}

function compacted(compaction: Work['conversation']['compaction']): Work['memo'] {
  return compaction === null
    ? null
    : { upTo: compaction.from - 1, text: readCompaction(compaction.text).summary };
}
