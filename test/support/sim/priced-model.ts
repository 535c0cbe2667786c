import { KairosError } from '../../../shared/base/errors.ts';
import { fnv1a } from '../../../shared/domain/approval-code.ts';
import type { Usage } from '../../../shared/domain/messages.ts';
import { costOf } from '../../../shared/domain/models.ts';
import type { ModelPort } from '../../../electron/worker/agent/ports.ts';
import { Random } from './random.ts';
import { pricedChoice } from './sim-models.ts';
import { wildReply } from './wild-model.ts';
import type { WorkerPlace } from './worker-place.ts';

/** A wild model that costs something, holds little (now and then even less than it said), and mostly writes summaries and notes. Each answer is billed. */
export function pricedModel(place: WorkerPlace, session: string): ModelPort {
  const bill = (purpose: 'step' | 'side', input: number, output: number): Usage => {
    const tokens = { inputTokens: input, outputTokens: output, cacheReadTokens: 0, cacheWriteTokens: 0 };
    const usage = { ...tokens, microUsd: costOf(tokens, pricedChoice.price) };
    place.ledgers.bills.push({ session, purpose, tokens: input + output, microUsd: usage.microUsd });
    return usage;
  };
  return {
    contextNeed: 'all',
    repeatLimit: null,
    problem: null,
    limits: pricedChoice,
    async request({ step, messages }) {
      const counts = new Random(fnv1a(`${step} ${messages.length}`), 'counter');
      if (messages.length > 3 && counts.chance(0.05))
        throw new KairosError('context_too_long', 'the model counts otherwise');
      return { reply: wildReply(step, messages), usage: bill('step', 10 + messages.length, 20) };
    },
    async write({ text, system }) {
      await place.point('model.before');
      const random = new Random(fnv1a(`${system.length} ${text}`), 'writer');
      if (random.chance(0.2)) throw new Error('the writer has no words');
      const usage = bill('side', 10, 10);
      await place.point('model.after');
      return { text: random.chance(0.1) ? '' : `So far: ${random.below(1000)}.`, usage };
    },
  };
}
