import { assertNever } from '../../base/assert-never.ts';
import type { PermissionMode } from '../sessions.ts';
import type { CallFacts, Decision } from './call-facts.ts';
import { commandRulings } from './command-rules.ts';
import type { PatternPlaces, RootPattern } from './path-patterns.ts';
import { askProtected } from './protected.ts';
import { formatRule, type Rule, type SourcedRule } from './rules.ts';
import { askSelf, denySelf, isInside, type SelfProtection } from './self-protection.ts';
import { hiddenPatterns, rulingOn } from './tool-rules.ts';

/** Everything a decision follows from; rules of every source, in their order. */
export interface PolicyInput {
  readonly facts: CallFacts;
  readonly mode: PermissionMode;
  /** Real path of the session's directory. */
  readonly dir: string;
  /** Real path of the session's own scratch folder: long outputs and downloads of its tools, which it reads unasked. */
  readonly ownScratch?: string;
  readonly rules: readonly SourcedRule[];
  /** Settings say that what runs shut in and nothing denies or asks about is not asked for; absent: they do not. */
  readonly sandboxAutoAllow?: boolean;
  readonly self: SelfProtection;
  /** Files that the hooks of this session run; absent: none. */
  readonly hookFiles?: readonly string[];
}

/**
 * Allows, asks or denies a call. Deny before ask before allow; what is closed or asked for its own sake holds in every mode, and what
 * nothing speaks about is left to the mode. Pure: CLI and window preview with it.
 */
export function decide(input: PolicyInput): Decision {
  const { facts, dir, self, mode } = input;
  const rulings = rulingsOn(input);
  const decision =
    denySelf(facts, self) ??
    rulings.deny ??
    byHook(input, 'deny') ??
    denyWhilePlanning(input) ??
    askSelf(facts, dir, self) ??
    askProtected(facts, { dir, home: self.person?.home ?? null }, input.hookFiles) ??
    askUnconfined(facts) ??
    rulings.ask ??
    byHook(input, 'ask') ??
    rulings.allow ??
    byHook(input, 'allow') ??
    allowConfined(input) ??
    explained(byMode(input), rulings);
  if (decision.behavior !== 'ask' || mode !== 'dontAsk' || facts.hook?.deferred === true) return decision;
  return askedNobody(decision);
}

function explained(decision: Decision, { uncovered }: Rulings): Decision {
  return decision.behavior === 'allow' || uncovered === null ? decision : { ...decision, reason: uncovered };
}

/** Patterns whose files a granted search must not show, for each list of rules; empty for every other call. */
export function hiddenInSearch(input: PolicyInput): readonly (readonly RootPattern[])[] {
  return hiddenPatterns(input.facts, input.rules, placesOf(input));
}

function placesOf({ dir, self }: PolicyInput): PatternPlaces {
  return { dir, home: self.person?.home ?? null, platform: self.person?.platform ?? 'linux' };
}

type Rulings = Readonly<Record<Rule['effect'], Decision | null>> & { readonly uncovered: string | null };

function rulingsOn(input: PolicyInput): Rulings {
  const { facts } = input;
  const rules = rulesFor(facts, input.rules);
  const places = placesOf(input);
  if (facts.tool === 'Bash')
    return commandRulings(facts, rules, {
      ...places,
      mayTouch: (access, paths) => mayTouch(input, access, paths),
    });
  const of = (effect: Rule['effect']): Decision | null => {
    const rule = rulingOn(effect, facts, rules, places);
    return rule === null ? null : { behavior: effect, by: `rule (${rule.source})`, rule: formatRule(rule) };
  };
  return { deny: of('deny'), ask: of('ask'), allow: of('allow'), uncovered: null };
}

/** A rule that was kept for the sandbox holds for nothing that runs outside of it. */
function rulesFor({ sandboxed }: CallFacts, rules: readonly SourcedRule[]): readonly SourcedRule[] {
  return sandboxed === true ? rules : rules.filter((rule) => rule.sandboxed !== true);
}

/** Redirections count as what a file tool does. */
function mayTouch(input: PolicyInput, access: 'read' | 'write', paths: readonly string[]): boolean {
  const { shell: _shell, hook: _hook, ...facts } = input.facts;
  const tool = access === 'read' ? 'Read' : 'Edit';
  const touching: CallFacts = { ...facts, tool, access, subject: paths[0] ?? '', paths: [...paths] };
  return decide({ ...input, facts: touching }).behavior === 'allow';
}

/** A command that was to be shut in and cannot be never runs unseen, whatever rules and modes allow. */
function askUnconfined({ sandboxed }: CallFacts): Decision | null {
  if (sandboxed !== false) return null;
  return { behavior: 'ask', by: 'there is no sandbox here for what should run in one', rule: null };
}

function allowConfined({ facts, sandboxAutoAllow }: PolicyInput): Decision | null {
  if (facts.sandboxed !== true || sandboxAutoAllow !== true) return null;
  return { behavior: 'allow', by: 'runs in the sandbox (sandbox.autoAllow)', rule: null };
}

function byHook({ facts: { hook } }: PolicyInput, behavior: Decision['behavior']): Decision | null {
  if (hook?.behavior !== behavior) return null;
  return {
    behavior,
    by: `hook (${hook.by})`,
    rule: null,
    ...(hook.reason === '' ? {} : { reason: hook.reason }),
  };
}

/** A plan is made by looking; nothing else runs before a person approved it, whatever rules allow. */
function denyWhilePlanning({ facts, mode }: PolicyInput): Decision | null {
  if (mode !== 'plan' || facts.tool === 'ExitPlanMode' || onlyLooks(facts)) return null;
  return {
    behavior: 'deny',
    by: 'mode plan',
    rule: null,
    reason: 'In plan mode nothing is changed and no command runs: present the plan with ExitPlanMode.',
  };
}

function onlyLooks({ access, class: kind }: CallFacts): boolean {
  switch (access) {
    case 'read':
    case 'person':
      return true;
    case 'network':
      return kind === 'pure';
    case 'write':
    case 'command':
      return false;
    default:
      return assertNever(access, 'access of a call');
  }
}

function askedNobody(decision: Decision): Decision {
  return { ...decision, behavior: 'deny', by: 'mode dontAsk', reason: nobodyAsked(decision) };
}

/** What is denied because nobody is asked, and what would change that. */
function nobodyAsked({ by, rule }: Decision): string {
  if (by === 'mode dontAsk')
    return 'Nobody is asked in this mode and no rule allows it; a person can allow it with a rule.';
  if (rule !== null)
    return `Nobody is asked in this mode, and the ${by} ${rule} does not let it pass unasked; a person can take that rule back or change the mode.`;
  return `Nobody is asked in this mode (${by}); no rule can allow it, only a person in another mode.`;
}

function byMode(input: PolicyInput): Decision {
  const { facts, mode } = input;
  if (facts.access === 'person') return { behavior: 'allow', by: 'needs no permission', rule: null };
  if (mode === 'bypassPermissions') return { behavior: 'allow', by: 'mode bypassPermissions', rule: null };
  if (facts.access === 'read' && facts.paths.length === 0)
    return { behavior: 'allow', by: 'reads what Kairos keeps itself', rule: null };
  if (readsInside(input)) return { behavior: 'allow', by: 'reads inside the session directory', rule: null };
  switch (mode) {
    case 'acceptEdits':
      return writesInside(input)
        ? { behavior: 'allow', by: 'mode acceptEdits', rule: null }
        : { behavior: 'ask', by: 'mode acceptEdits', rule: null };
    case 'default':
    case 'plan':
    case 'dontAsk':
      return { behavior: 'ask', by: `mode ${mode}`, rule: null };
    default:
      return assertNever(mode, 'permission mode');
  }
}

function readsInside({ facts, dir, ownScratch }: PolicyInput): boolean {
  const readable = (path: string): boolean =>
    isInside(path, dir) || (ownScratch !== undefined && isInside(path, ownScratch));
  return facts.access === 'read' && facts.paths.every(readable);
}

function writesInside({ facts, dir }: PolicyInput): boolean {
  return (
    facts.access === 'write' && facts.paths.length > 0 && facts.paths.every((path) => isInside(path, dir))
  );
}
