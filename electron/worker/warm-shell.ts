import type { Clock } from '../../shared/base/ports.ts';
import type { ModelPort } from './agent/ports.ts';

/** A model that has said nothing for so long will not be held up. */
const quietMs = 50;

/**
 * The same model; while its first answer comes in, `warm` loads what reads the commands of a shell, so that neither the request nor
 * the first command waits for it.
 */
export function warmingShell(
  model: ModelPort,
  warm: () => Promise<void>,
  clock: Pick<Clock, 'after'>,
): ModelPort {
  let warmed = false;
  // A parser that cannot be loaded is told by the first command that needs it.
  const begin = (): void => {
    if (warmed) return;
    warmed = true;
    warm().catch(() => undefined);
  };
  return {
    ...model,
    async request(input) {
      if (warmed) return model.request(input);
      const cancel = clock.after(quietMs, begin);
      try {
        return await model.request({
          ...input,
          onDraft(draft) {
            input.onDraft(draft);
            begin();
          },
        });
      } finally {
        cancel();
      }
    },
  };
}
