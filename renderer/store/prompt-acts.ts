import { promptViewSchema, type Verdict } from '../../shared/domain/prompts.ts';
import { verdictAnswerSchema } from '../../shared/protocol/bridge.ts';
import type { ActContext } from './context.ts';
import type { VerdictProgress } from './window-state.ts';

/** Answering what Kairos asks. */
export interface PromptActs {
  /** Gives a verdict once; success is shown only after the daemon confirmed it. */
  decide(prompt: string, verdict: Verdict): void;
  /** Reads a prompt whole that frames cut. */
  readWhole(prompt: string): void;
}

export function createPromptActs({ store, http }: ActContext): PromptActs {
  const reading = new Set<string>();
  const note = (prompt: string, progress: VerdictProgress): void =>
    store.setState(({ verdicts }) => ({ verdicts: { ...verdicts, [prompt]: progress } }));
  const pathOf = (prompt: string): string => `/prompts/${encodeURIComponent(prompt)}`;
  return {
    decide(prompt, verdict) {
      if (store.getState().verdicts[prompt]?.kind === 'sending') return;
      note(prompt, { kind: 'sending' });
      const request = { path: `${pathOf(prompt)}/verdict`, body: { verdict } };
      void http.ask(request, verdictAnswerSchema).then((asked) => {
        note(
          prompt,
          asked.ok ? { kind: 'answered', answer: asked.value } : { kind: 'failed', fault: asked.fault },
        );
      });
    },
    readWhole(prompt) {
      if (reading.has(prompt)) return;
      reading.add(prompt);
      void http.ask({ path: pathOf(prompt) }, promptViewSchema).then((asked) => {
        reading.delete(prompt);
        if (!asked.ok) return note(prompt, { kind: 'failed', fault: asked.fault });
        store.setState(({ wholePrompts }) => ({ wholePrompts: { ...wholePrompts, [prompt]: asked.value } }));
      });
    },
  };
}
