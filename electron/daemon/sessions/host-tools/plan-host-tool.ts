import type { Decision } from '../../../../shared/domain/permissions/policy.ts';
import type { CallPlan } from '../../events/port.ts';
import type { Planned } from '../call-planner.ts';
import { planAsk } from './ask-question.ts';
import type { HostInput } from './host-input.ts';
import { planSilence } from './no-reply.ts';
import { planSend, planSendFile } from './send-message.ts';
import { planSleep } from './sleep.ts';
import { planTodos } from './todo-write.ts';

const hostTools: ReadonlyMap<string, (input: HostInput) => CallPlan> = new Map([
  ['SendUserMessage', planSend],
  ['Brief', planSend],
  ['send_user_file', planSendFile],
  ['AskUserQuestion', planAsk],
  ['TodoWrite', planTodos],
  ['NoReply', planSilence],
  ['Sleep', planSleep],
]);

const allowed: Decision = { behavior: 'allow', by: 'talks only to the person', rule: null };

/** True for tools that the daemon does itself, in the commit that records them. */
export function isHostTool(tool: string): boolean {
  return hostTools.has(tool);
}

/** What to do with a host tool's call; bad input ends it with a sentence for the model. */
export function planHostTool(input: HostInput): Planned {
  const plan = hostTools.get(input.facts.tool);
  if (!plan) throw new Error(`${input.facts.tool} is no host tool.`);
  return { plan: plan(input), decision: allowed };
}
