import { createAgentLoop } from '../../electron/worker/agent/agent-loop.ts';
import { interpret } from '../../electron/worker/model/offline/interpret.ts';
import { offlineEngine } from '../../electron/worker/model/offline/offline-model.ts';
import { fixedFrames, sampleFrame } from '../support/sample-frame.ts';
import { type ContextVault, createScriptedRunner } from '../support/scripted-runner.ts';
import { runnerConformance } from './runner-conformance.ts';
import type { RunnerWorld } from './runner-world.ts';

const vaults = new WeakMap<RunnerWorld, ContextVault>();

runnerConformance('built-in loop with the offline engine', (tools) =>
  createAgentLoop({ model: offlineEngine, tools, frames: fixedFrames(sampleFrame('frame')) }),
);

runnerConformance('scripted runner with an opaque context', (tools, world) => {
  const vault = vaults.get(world) ?? new Map();
  vaults.set(world, vault);
  return createScriptedRunner({
    tools,
    vault,
    reply: ({ messages, step }) => interpret(messages, step, true),
  });
});
