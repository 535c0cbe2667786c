import {
  commandPattern,
  coverText,
  matchesText,
  withoutBlanks,
  wordsNamed,
  type CommandPattern,
} from './command-pattern.ts';
import { isHarmlessVariable, isOwnVariable } from './environment-names.ts';
import { isHarmlessCommand } from './harmless-commands.ts';
import { launcherReason } from './launchers.ts';
import type { CallFacts } from './call-facts.ts';
import { riskyReason } from './risky-options.ts';
import { formatRule, type SourcedRule } from './rules.ts';
import { certainMatch, commandsSeen, possibleMatch } from './shell-stops.ts';
import type { ShellFacts, ShellPart, ShellRedirect } from './shell-facts.ts';
import { throughWrappers } from './wrappers.ts';

/** What a command's redirections may do; the rules for files say it. */
export interface ShellContext {
  /** Real path of the session's directory. */
  readonly dir: string;
  /** True when every one of these real paths may be changed without asking. */
  mayWrite(paths: readonly string[]): boolean;
  /** True when every one of these real paths may be read without asking. */
  mayRead(paths: readonly string[]): boolean;
}

/** A rule that decides, and why in one sentence when it does not plainly stand in the command. */
export interface ShellStop {
  readonly rule: SourcedRule;
  /** null: it plainly matches. */
  readonly reason: string | null;
}

/** What the rules on Bash with something between their brackets say about a command. */
export interface ShellVerdict {
  /** The first deny rule that surely matches. */
  readonly deny: ShellStop | null;
  /** The first ask rule that matches, or a deny or ask rule that may match something which is not known before it runs. */
  readonly ask: ShellStop | null;
  /** Set when every part is covered: the rules that cover them, in the order of the parts. */
  readonly allow: readonly SourcedRule[] | null;
  /** Why `allow` is null: the part (its text) that no rule covers, and one sentence. */
  readonly uncovered: { readonly part: string; readonly reason: string } | null;
}

type Rules = readonly { readonly rule: SourcedRule; readonly pattern: CommandPattern }[];

/** Holds a command against the rules `Bash(...)`; rules without brackets and those of other tools are left to the caller. */
export function shellVerdict(
  facts: Pick<CallFacts, 'subject' | 'shell'>,
  rules: readonly SourcedRule[],
  context: ShellContext,
): ShellVerdict {
  const shell = facts.shell ?? {
    kind: 'unparsed' as const,
    reason: 'nothing is known about what it consists of',
  };
  const of = (effect: SourcedRule['effect']): Rules =>
    rules.flatMap((rule) =>
      rule.effect === effect && rule.tool === 'Bash' && rule.subject !== null
        ? [{ rule, pattern: commandPattern(rule.subject) }]
        : [],
    );
  const [deny, ask] = [of('deny'), of('ask')];
  const covered = coverage(facts.subject, shell, of('allow'), context);
  if (deny.length + ask.length === 0) return { deny: null, ask: null, ...covered };
  const seen = commandsSeen(facts.subject, shell);
  const certainly = (pattern: CommandPattern) => (certainMatch(seen, pattern) ? plainly : null);
  return {
    deny: firstStop(deny, certainly),
    ask: firstStop(ask, certainly) ?? firstStop([...deny, ...ask], (pattern) => possibleMatch(seen, pattern)),
    ...covered,
  };
}

const plainly = { reason: null };

function firstStop(
  rules: Rules,
  match: (pattern: CommandPattern) => { readonly reason: string | null } | null,
): ShellStop | null {
  for (const { rule, pattern } of rules) {
    const found = match(pattern);
    if (found !== null) return { rule, reason: found.reason };
  }
  return null;
}

type Coverage = Pick<ShellVerdict, 'allow' | 'uncovered'>;

function coverage(subject: string, shell: ShellFacts, rules: Rules, context: ShellContext): Coverage {
  const text = withoutBlanks(subject);
  const whole = rules.find(({ pattern }) => pattern.kind === 'exact' && pattern.text === text);
  if (whole !== undefined) return { allow: [whole.rule], uncovered: null };
  const not = (part: string, reason: string): Coverage => ({ allow: null, uncovered: { part, reason } });
  if (shell.kind === 'unparsed') return not(subject, `No pattern vouches for it: ${shell.reason}`);
  const odd = shell.odd[0];
  if (odd !== undefined) return not(subject, `No pattern vouches for a command with ${odd}.`);
  const parts = shell.parts.filter(({ nested }) => nested !== true);
  const found = parts.map((part) => ({ part, cover: coverPart(part, rules, context) }));
  const bare = found.find(({ cover }) => typeof cover === 'string');
  if (bare !== undefined && typeof bare.cover === 'string') return not(bare.part.source, bare.cover);
  for (const { source, redirects } of [...parts, { source: subject, redirects: shell.redirects }]) {
    const stopped = redirects
      .map((redirect) => redirectReason(redirect, context))
      .find((reason) => reason !== null);
    if (stopped !== undefined) return not(source, stopped);
  }
  const allow = found.flatMap(({ cover }) => (typeof cover === 'object' && cover !== null ? [cover] : []));
  if (allow.length === 0) return not(subject, 'No rule allows any part of it.');
  return { allow: [...new Set(allow)], uncovered: null };
}

/** The rule that covers a part, null when it needs none, or why it is not covered. */
function coverPart(part: ShellPart, rules: Rules, context: ShellContext): SourcedRule | string | null {
  const exact = rules.find(({ pattern }) => pattern.kind === 'exact' && pattern.text === part.source);
  if (exact !== undefined) return exact.rule;
  const assigned = assignmentReason(part);
  if (assigned !== null) return assigned;
  if (part.words.length === 0) return null;
  const words = throughWrappers(part.words);
  const candidates = [part.words, words].map((each) => ({ words: each, text: coverText(each) }));
  const reasons: string[] = [];
  for (const { rule, pattern } of rules) {
    const seen = candidates.find(({ text }) => text !== null && matchesText(pattern, text))?.words;
    if (seen === undefined) continue;
    if (pattern.kind === 'exact') return rule;
    const named = wordsNamed(pattern, seen);
    const reason = launcherReason(seen, named) ?? riskyReason(seen, named);
    if (reason === null) return rule;
    reasons.push(`"${formatRule(rule)}" does not cover it: ${reason}.`);
  }
  if (isHarmlessCommand({ ...part, words: [...words] }, context.dir)) return null;
  return reasons[0] ?? uncoveredReason(words);
}

function uncoveredReason(words: ReturnType<typeof throughWrappers>): string {
  if (words[0]?.kind !== 'literal') return 'Which program this runs is known only when it runs.';
  const launcher = launcherReason(words, 0);
  return launcher === null ? 'No rule allows this part.' : `No rule allows it as it stands: ${launcher}.`;
}

function assignmentReason({ assignments, words }: ShellPart): string | null {
  const isFine = words.length === 0 ? isOwnVariable : isHarmlessVariable;
  const strange = assignments.find(({ name }) => !isFine(name));
  return strange === undefined ? null : `Setting ${strange.name} may change what runs.`;
}

const openDevices = /^\/dev\/(?:null|zero|stdin|stdout|stderr|fd\/\d+)$/;

/** Why a redirection is not allowed without asking; null: it is. */
function redirectReason({ access, target, paths }: ShellRedirect, context: ShellContext): string | null {
  if (access === 'none' || target === null) return null;
  if (target.kind === 'literal' && openDevices.test(target.text)) return null;
  const does = access === 'write' ? 'writes' : 'reads';
  if (paths.length === 0) return `Which file it ${does} is known only when it runs (${target.text}).`;
  const allowed = access === 'write' ? context.mayWrite(paths) : context.mayRead(paths);
  return allowed ? null : `It ${does} ${target.text}, which no rule allows.`;
}
