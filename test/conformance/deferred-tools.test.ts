import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallPart } from '../../shared/domain/messages.ts';
import { createAgentLoop } from '../../electron/worker/agent/agent-loop.ts';
import type { ModelRequest } from '../../electron/worker/agent/ports.ts';
import { callPart } from '../../electron/worker/model/answer/call-part.ts';
import { fixedFrames, sampleFrame } from '../support/sample-frame.ts';
import { fakeModel } from '../worker/support/fakes.ts';
import { RunnerWorld } from './runner-world.ts';

const frame = {
  ...sampleFrame('frame'),
  tools: ['Bash', 'FindTools', 'UseTool'].map((name) => ({ name, description: '', schema: {} })),
  deferred: [{ name: 'Fetch', description: '', schema: {} }],
};

/** Calls by their own name, or through UseTool as the wire has them. */
const asked = fc.array(fc.record({ tool: fc.constantFrom('Bash', 'Fetch'), through: fc.boolean() }), {
  minLength: 1,
  maxLength: 6,
});

test('the log and the permissions see the inner name, and the tools of the requests never change', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async (calls) => {
      const requests: ModelRequest[] = [];
      const parts = calls.map(({ tool, through }, n): CallPart => {
        const input = { command: `do ${n}` };
        return through ? callPart(`c${n}`, 'UseTool', { name: tool, input }) : callPart(`c${n}`, tool, input);
      });
      const { model } = fakeModel([], {
        contextNeed: 'all',
        limits: { ref: 'm', contextTokens: 50_000, maxOutputTokens: 1_000 },
        request: async (request) => {
          requests.push(request);
          const part = parts[requests.length - 1];
          const reply = part === undefined ? [{ type: 'text' as const, text: 'Done.' }] : [part];
          return {
            reply: { model: 'm', parts: reply, stop: part === undefined ? 'end' : 'calls' },
            usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, microUsd: 0 },
          };
        },
      });
      const world = await new RunnerWorld((tools) =>
        createAgentLoop({ model, tools, frames: fixedFrames(frame) }),
      ).open();
      await world.say('go');
      await world.run();
      const names = calls.map(({ tool }) => tool);
      const began = (await world.events('call.began')).flatMap((event) =>
        event.type === 'call.began' ? [event.body.tool] : [],
      );
      const ended = (await world.events('call.ended')).flatMap((event) =>
        event.type === 'call.ended' ? [event.body.tool] : [],
      );
      const lists = new Set(requests.map((request) => JSON.stringify(request.frame.tools)));
      expect({ began, ended, lists: [...lists] }).toEqual({
        began: names,
        ended: names,
        lists: [JSON.stringify(frame.tools)],
      });
    }),
    { numRuns: 30 },
  );
});
