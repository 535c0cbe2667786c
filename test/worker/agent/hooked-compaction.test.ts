import { expect, test } from 'vitest';
import { noOutcome } from '../../../shared/domain/hooks/combine.ts';
import type { HookOccasion } from '../../../shared/domain/hooks/occasions.ts';
import { Conversation } from '../../../electron/worker/agent/conversation.ts';
import { hookedCompaction } from '../../../electron/worker/agent/hooked-compaction.ts';
import { newHookState } from '../../../electron/worker/agent/hook-state.ts';
import { fixedFrames, sampleFrame } from '../../support/sample-frame.ts';
import { fakeModel, fakeTools } from '../support/fakes.ts';
import { ok } from '../support/messages.ts';
import { ScriptedPort, said } from '../support/scripted-port.ts';

test('hooks hear of a compaction before it, and after it of the summary; a complaint does not prevent it', async () => {
  const heard: HookOccasion[] = [];
  const hooks = {
    version: '',
    begins: 'resume' as const,
    fire: async (occasion: HookOccasion) => {
      heard.push(occasion);
      return { ...noOutcome, block: { by: 'h', text: 'not now' } };
    },
  };
  const limits = { ref: 'test', contextTokens: 20_000, maxOutputTokens: 1_000 };
  const { model } = fakeModel([], { contextNeed: 'all', limits });
  const conversation = new Conversation({ known: 0, compaction: null, room: 19_000 });
  const earlier = { ...said(4, 'please count'), turn: 'trn_0' };
  conversation.add([earlier, said(9, 'go on')] as never);
  const port = new ScriptedPort([
    { verb: 'compact', answer: { seq: 10 } },
    { verb: 'pinFrame', answer: { frame: 'f' } },
  ]);
  const frame = sampleFrame('f');
  const { tools } = fakeTools(() => ok(''));
  const own = { port, model, tools, frames: fixedFrames(frame), frame, conversation, memo: null };
  expect(await hookedCompaction({ ...own, ...newHookState(hooks) }, 'trn_1', 'least')).toBe('done');
  expect(heard).toEqual([
    { event: 'PreCompact', trigger: 'auto' },
    { event: 'PostCompact', trigger: 'auto', summary: expect.stringContaining('please count') },
  ]);
});
