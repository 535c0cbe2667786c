import { expect, test } from 'vitest';
import type { ModelPort, ModelRequest } from '../../electron/worker/agent/ports.ts';
import { warmingShell } from '../../electron/worker/warm-shell.ts';

/** A model that says what it is told to, and a clock that only notes what waits. */
function bench(says: boolean) {
  const order: string[] = [];
  const waiting: (() => void)[] = [];
  const model = {
    contextNeed: 'all',
    request: async ({ onDraft }: ModelRequest) => {
      order.push('asked');
      if (says) onDraft({ part: 0, kind: 'text', text: 'a' });
      await Promise.resolve();
      order.push('answered');
      return { reply: { model: 'm', parts: [], stop: 'end' }, usage: {} };
    },
  } as unknown as ModelPort;
  const warmed = warmingShell(model, async () => void order.push('warmed'), {
    after: (_, work) => {
      waiting.push(work);
      return () => void waiting.splice(waiting.indexOf(work), 1);
    },
  });
  const request = { onDraft: () => void order.push('draft') } as unknown as ModelRequest;
  return { order, waiting, ask: () => warmed.request(request) };
}

test('the parser is loaded once the first piece of the first answer was handed on, and never again', async () => {
  const { order, waiting, ask } = bench(true);
  await ask();
  await ask();
  expect([order, waiting]).toEqual([
    ['asked', 'draft', 'warmed', 'answered', 'asked', 'draft', 'answered'],
    [],
  ]);
});

test('a model that is silent for a while does not keep it from being loaded', async () => {
  const { order, waiting, ask } = bench(false);
  const asked = ask();
  waiting[0]?.();
  await asked;
  expect([order, waiting]).toEqual([['asked', 'warmed', 'answered'], []]);
});
