import type { CallFacts, Decision } from '../../../../shared/domain/permissions/call-facts.ts';
import { decide } from '../../../../shared/domain/permissions/policy.ts';
import type { CallPlan } from '../../events/port.ts';
import type { Planned } from '../call-planner.ts';
import { planAsk } from './ask-question.ts';
import { planExit } from './exit-plan-mode.ts';
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
  ['ExitPlanMode', planExit],
]);

const allowed: Decision = { behavior: 'allow', by: 'talks only to the person', rule: null };

/**
 * True for calls that the daemon does itself, in the commit that records them. A call that the worker refused (not offered in this
 * session, input that is no JSON, a loop) comes as `pure`: it is not done, its complaint is its result.
 */
export function isHostTool({ tool, class: kind }: Pick<CallFacts, 'tool' | 'class'>): boolean {
  return kind === 'local' && hostTools.has(tool);
}

/** What to do with a host tool's call; bad input ends it with a sentence for the model. */
export function planHostTool(input: HostInput): Planned {
  const refused = refusedByRule(input) ?? refusedByHook(input.facts);
  if (refused !== null) return refused;
  const plan = hostTools.get(input.facts.tool);
  if (!plan) throw new Error(`${input.facts.tool} is no host tool.`);
  return { plan: withNote(plan(input), input.facts.hook?.note), decision: allowed };
}

/** The model reads what hooks say about the call with its result. */
function withNote(plan: CallPlan, note: string | undefined): CallPlan {
  if (note === undefined || !('result' in plan)) return plan;
  return { ...plan, result: { ...plan.result, output: `${plan.result.output}\n${note}` } };
}

const askPeople: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** Rules that name the tool hold here too; one that asks does so where asking is what the tool does, and denies the others. */
function refusedByRule({ facts: { hook: _hook, ...facts }, places }: HostInput): Planned | null {
  const { behavior, by, rule } = decide({ ...places, facts, mode: 'default' });
  if (rule === null || behavior === 'allow' || (behavior === 'ask' && askPeople.has(facts.tool))) return null;
  const why = behavior === 'ask' ? `Nobody can be asked about ${facts.tool}.` : '';
  const decision: Decision = { behavior: 'deny', by, rule, ...(why === '' ? {} : { reason: why }) };
  const output = `Not allowed: ${by} ${rule}. ${why}`.trimEnd();
  return { plan: { do: 'end', result: { outcome: 'denied', output } }, decision };
}

/** A hook's deny holds here too. Its "ask" does where asking is what the tool does; nobody can be asked about the others. */
function refusedByHook({ tool, hook }: CallFacts): Planned | null {
  if (hook === undefined || hook.behavior === 'allow') return null;
  if (hook.behavior === 'ask' && askPeople.has(tool)) return null;
  const why =
    hook.behavior === 'deny'
      ? hook.reason
      : `It wants a person to decide, and nobody can be asked about ${tool}.`;
  const decision: Decision = { behavior: 'deny', by: `hook (${hook.by})`, rule: null, reason: why };
  const output = `Not allowed: hook (${hook.by}). ${why}`;
  return { plan: { do: 'end', result: { outcome: 'denied', output } }, decision };
}
