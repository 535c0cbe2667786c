import { offlineChoice } from '../../../shared/domain/models.ts';
import type { CallResult, Reply } from '../../../shared/domain/messages.ts';
import { noUsage } from '../../../shared/domain/messages.ts';
import type { CallFacts } from '../../../shared/domain/permissions/call-facts.ts';
import type { ModelPort, ModelRequest, OpenCall, ToolPort } from '../../../electron/worker/agent/ports.ts';

/** A model that gives these replies in order and keeps its requests. */
export function fakeModel(replies: readonly (Reply | Error)[], options: Partial<ModelPort> = {}) {
  const requests: ModelRequest[] = [];
  const left = [...replies];
  const model: ModelPort = {
    contextNeed: 'turn',
    repeatLimit: 5,
    problem: null,
    limits: offlineChoice,
    write: null,
    async request(input) {
      requests.push({ ...input, messages: [...input.messages] });
      const reply = left.shift() ?? new Error('no reply left');
      if (reply instanceof Error) throw reply;
      return { reply, usage: noUsage };
    },
    ...options,
  };
  return { model, requests };
}

/** Facts as the tool `Echo` gives them. */
export function factsOf(call: OpenCall): CallFacts {
  return {
    tool: call.tool,
    input: call.input,
    class: 'blind',
    access: 'command',
    cwd: '/work-dir',
    subject: `subject of ${call.id}`,
    paths: [],
    preimages: [],
    preview: 'preview',
    description: '',
  };
}

/** Tools of which all but `Unknown` and `Bad` can be prepared; `execute` is up to the test. */
export function fakeTools(execute: (id: string) => Promise<CallResult> | CallResult) {
  const executed: string[] = [];
  const tools: ToolPort = {
    async prepare(call) {
      if (call.tool === 'Unknown') return { kind: 'bad', message: 'There is no tool "Unknown".' };
      if (call.tool === 'Broken') throw new Error('broken inside');
      return { kind: 'ready', facts: factsOf(call) };
    },
    async execute({ call }) {
      executed.push(call.id);
      return execute(call.id);
    },
  };
  return { tools, executed };
}
