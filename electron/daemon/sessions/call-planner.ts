import { canonicalJson } from '../../../shared/base/json.ts';
import type { Sha256 } from '../../../shared/base/ports.ts';
import { oneLine, visibleText } from '../../../shared/base/visible-text.ts';
import type { CallResult } from '../../../shared/domain/messages.ts';
import { askReason } from '../../../shared/domain/permissions/ask-reason.ts';
import type { CallFacts, Decision } from '../../../shared/domain/permissions/call-facts.ts';
import { decide } from '../../../shared/domain/permissions/policy.ts';
import type { SelfProtection } from '../../../shared/domain/permissions/self-protection.ts';
import { proposeRule } from '../../../shared/domain/permissions/propose.ts';
import { risksOf } from '../../../shared/domain/permissions/risks.ts';
import { formatRule, type SourcedRule } from '../../../shared/domain/permissions/rules.ts';
import type { PermissionMode } from '../../../shared/domain/sessions.ts';
import { holdsLiteralSecret, maskLiteralSecrets } from '../../node/mask-secrets.ts';
import type { CallPlan, NewPrompt } from '../events/port.ts';
import type { PromptRow } from '../events/rows.ts';

/** Everything a plan follows from; nothing is looked up while planning. */
export interface PlanInput {
  readonly facts: CallFacts;
  readonly digest: string;
  readonly mode: PermissionMode;
  readonly dir: string;
  readonly ownScratch?: string;
  readonly rules: readonly SourcedRule[];
  readonly sandboxAutoAllow?: boolean;
  /** Nothing outside of the sandbox may answer for this command, whatever rules, modes or people said. */
  readonly sandboxRequired?: boolean;
  readonly self: SelfProtection;
  /** Files that the hooks of this session run; absent: none. */
  readonly hookFiles?: readonly string[];
  /** The prompt opened for this call before, if any. */
  readonly prompt: PromptRow | null;
  readonly promptLifeMs: number;
  /** A person may keep a rule with a verdict; absent: yes. */
  readonly keepsRules?: boolean;
}

/** What to do with a call, and the decision that says why. */
export interface Planned {
  readonly plan: CallPlan;
  readonly decision: Decision;
}

/** The digest of what a person decides on (design 27): equal only for the same call on the same files, wherever links lead. */
export function callDigest(facts: CallFacts, mode: PermissionMode, sha256: Sha256): string {
  const { tool, input, cwd, paths, preimages, sandboxed, preview, shell } = facts;
  // A verdict on what runs shut in lets nothing run outside, nor the other way round; what it reaches from there stands in the preview.
  const where = sandboxed === undefined ? {} : { sandboxed, preview };
  const parsed = shell === undefined ? {} : { shell };
  return sha256(canonicalJson({ tool, input, cwd, mode, paths, preimages, ...parsed, ...where }));
}

/** Allow, ask or deny a call that has an effect: by its earlier verdict, else by the policy. */
export function planCall(input: PlanInput): Planned {
  const { prompt } = input;
  const decision = denyUnconfined(input) ?? decide(input);
  if (decision.behavior === 'deny') return denied(decision, `Not allowed: ${whyText(decision)}`);
  // A complaint about a call that cannot run (bad input) needs nobody's leave, whatever was asked about it before.
  if (input.facts.access === 'person' && decision.behavior === 'allow')
    return { plan: { do: 'grant' }, decision };
  if (prompt && prompt.state !== 'open') return planAnswered(input, prompt, decision);
  if (decision.behavior === 'ask')
    return { plan: { do: 'ask', prompt: approvalPrompt(input, decision, noteOf(input)) }, decision };
  return { plan: { do: 'grant' }, decision };
}

/** Under another code people see why: the one that they know is gone. */
function noteOf({ prompt, digest }: PlanInput): string {
  if (prompt === null || prompt.digest === digest) return '';
  return 'Asked again: what would run, or the mode, has changed since it was shown. ';
}

/** The worker says whether a command is shut in; where a sandbox is required it is not taken at its word. */
function denyUnconfined({ facts, sandboxRequired }: PlanInput): Decision | null {
  if (sandboxRequired !== true || facts.sandboxed === true) return null;
  return {
    behavior: 'deny',
    by: 'sandbox.mode required',
    rule: null,
    reason: 'This command was not to run in a sandbox; only sandbox.exclude of a person frees one from it.',
  };
}

/** What decided: one sentence, or two where there is more to say. */
export function whyText({ by, rule, reason }: Decision): string {
  const what = `${by}${rule === null ? '' : ` ${rule}`}.`;
  return reason === undefined ? what : `${what} ${reason}`;
}

function planAnswered(input: PlanInput, prompt: PromptRow, decision: Decision): Planned {
  const by = prompt.by ? `${prompt.by.principal} (${prompt.by.surface})` : 'nobody';
  const verdict = prompt.verdict;
  if (prompt.state === 'decided' && verdict?.behavior === 'allow') {
    if (prompt.digest !== input.digest) {
      // The mode that holds by now lets it run without anybody: then nobody is asked a second time.
      if (decision.behavior === 'allow' && decision.rule === null) return { plan: { do: 'grant' }, decision };
      return { plan: { do: 'ask', prompt: approvalPrompt(input, decision, noteOf(input)) }, decision };
    }
    return { plan: { do: 'grant' }, decision: { behavior: 'allow', by: `allowed by ${by}`, rule: null } };
  }
  const refusal: Decision = { behavior: 'deny', by: `denied by ${by}`, rule: null };
  if (prompt.state === 'decided') {
    const reason = verdict?.behavior === 'deny' && verdict.reason ? `: ${verdict.reason}` : '.';
    const who = prompt.by?.surface === 'hook' ? `The ${prompt.by.principal}` : 'The person';
    return denied(refusal, `${who} denied this call${reason}`);
  }
  if (prompt.state === 'expired')
    return denied({ ...refusal, by: 'expired' }, 'Nobody answered in time: counted as deny.');
  return denied({ ...refusal, by: 'withdrawn' }, 'The question was withdrawn.');
}

function denied(decision: Decision, output: string): Planned {
  const result: CallResult = { outcome: 'denied', output };
  return { plan: { do: 'end', result }, decision: { ...decision, behavior: 'deny' } };
}

function approvalPrompt(input: PlanInput, decision: Decision, note: string): NewPrompt {
  const { facts } = input;
  const rule = input.keepsRules === false ? null : proposeRule(input, holdsLiteralSecret);
  return {
    kind: 'approval',
    headline: oneLine(
      `${note}${facts.tool}${whereText(facts)}: ${maskLiteralSecrets(headlineSubject(facts))}`,
      200,
    ),
    description: oneLine(maskLiteralSecrets(facts.description), 200),
    preview: maskLiteralSecrets(visibleText(facts.preview)),
    options: [],
    multiple: false,
    rule: rule && visibleText(formatRule(rule)),
    ruleSubject: rule,
    risks: risksOf(facts, { ...input, mask: maskLiteralSecrets }),
    ...(decision.behavior === 'ask' ? { reason: askReason(decision, maskLiteralSecrets) } : {}),
    dir: facts.cwd,
    lifeMs: facts.hook?.deferred === true ? deferredLifeMs : input.promptLifeMs,
  };
}

/** What a hook put off for later waits as long as it takes: ten years. */
const deferredLifeMs = 10 * 365 * 24 * 3_600_000;

function whereText({ sandboxed }: CallFacts): string {
  if (sandboxed === undefined) return '';
  return sandboxed ? ' in the sandbox' : ' OUTSIDE the sandbox';
}

/** Built from the input, never from the model's words. */
function headlineSubject(facts: CallFacts): string {
  if (facts.access === 'network') return facts.preview;
  return facts.access === 'command' ? facts.subject : (facts.paths[0] ?? facts.subject);
}
