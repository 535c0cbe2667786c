import { assertNever } from '../../base/assert-never.ts';
import type { CallFacts } from './call-facts.ts';
import { matchesDomain, normalHost, parseDomain } from './domain-rules.ts';
import { type PatternPlaces, pathMatcher, type RootPattern, rootPattern } from './path-patterns.ts';
import type { Rule, SourcedRule } from './rules.ts';
import { rulesMcpTool, rulesTool, searchesTrees, specLanguage } from './tool-names.ts';

/** The first rule with `effect` that speaks about the call; for commands only those on the whole tool. null: none does. */
export function rulingOn(
  effect: Rule['effect'],
  facts: CallFacts,
  rules: readonly SourcedRule[],
  places: PatternPlaces,
): SourcedRule | null {
  const named = rules.filter((rule) => rule.effect === effect && namesTool(rule, facts));
  if (effect === 'allow' && specLanguage(facts.tool) === 'path') return allowing(facts, named, places);
  return named.find((rule) => speaksOf(rule, facts, named, places)) ?? null;
}

function namesTool({ effect, tool }: SourcedRule, facts: CallFacts): boolean {
  if (tool === '*') return facts.access !== 'person';
  return rulesTool(tool, facts.tool) || rulesMcpTool(tool, facts.tool, effect === 'allow');
}

function speaksOf(
  rule: SourcedRule,
  facts: CallFacts,
  named: readonly SourcedRule[],
  places: PatternPlaces,
): boolean {
  if (rule.subject === null) return true;
  const language = specLanguage(facts.tool);
  switch (language) {
    case 'path':
      return facts.paths.some(coveredBy(rule, named, facts.tool, places));
    case 'domain':
      return meansHost(rule, rule.subject, facts.subject);
    case 'exact':
      return exactText(rule.subject) === facts.subject;
    case 'none':
    case 'shell':
      return false;
    default:
      return assertNever(language, 'language of a rule');
  }
}

/** Every path has to be covered, both ends of a symbolic link too; the rule that covers the first one is named. */
function allowing(
  facts: CallFacts,
  named: readonly SourcedRule[],
  places: PatternPlaces,
): SourcedRule | null {
  const whole = named.find(({ subject }) => subject === null);
  const covering = facts.paths.map((path) =>
    named.find((rule) => rule.subject !== null && coveredBy(rule, named, facts.tool, places)(path)),
  );
  const [first] = covering;
  if (first === undefined || covering.includes(undefined)) return whole ?? null;
  return whole !== undefined && named.indexOf(whole) < named.indexOf(first) ? whole : first;
}

/**
 * The rules with patterns that deny or ask about what a file tool does, read once for many paths: the first one that covers a path.
 * Rules on the whole tool are not among them.
 */
export function fileRuling(
  effect: 'deny' | 'ask',
  tool: 'Read' | 'Edit',
  rules: readonly SourcedRule[],
  places: PatternPlaces,
): (path: string) => SourcedRule | null {
  const named = rules.filter(
    (rule) => rule.effect === effect && rule.subject !== null && rulesTool(rule.tool, tool),
  );
  const covering = named.map((rule) => ({ rule, covers: coveredBy(rule, named, tool, places) }));
  const mayCover = anyOf(named, places);
  return (path) => (mayCover(path) ? (covering.find(({ covers }) => covers(path))?.rule ?? null) : null);
}

/** Nearly every path is covered by no rule: one look for all of them, without what they take back. */
function anyOf(rules: readonly SourcedRule[], places: PatternPlaces): (path: string) => boolean {
  const patterns: RootPattern[] = [];
  for (const rule of rules) {
    const own = ownPatterns(rule, [rule], places);
    if (own === 'all') return () => true;
    if (own !== 'none') patterns.push(...own);
  }
  if (patterns.length === 0) return () => false;
  const matcher = pathMatcher(patterns, places.platform);
  return (path) => matcher.file(path);
}

/** Whether a rule's pattern covers a path, given the `!` patterns that follow it in the list of its source. */
function coveredBy(
  rule: SourcedRule,
  named: readonly SourcedRule[],
  tool: string,
  places: PatternPlaces,
): (path: string) => boolean {
  const patterns = ownPatterns(rule, named, places);
  if (patterns === 'all' || patterns === 'none') return () => patterns === 'all';
  const matcher = pathMatcher(patterns, places.platform);
  if (!searchesTrees(tool)) return (path) => matcher.file(path);
  return (path) => matcher.file(path) || matcher.tree(path);
}

/** Who denies `/etc/x` may have meant the root of the file system: for what denies or asks, both readings hold. */
function ownPatterns(
  rule: SourcedRule,
  named: readonly SourcedRule[],
  places: PatternPlaces,
): readonly RootPattern[] | 'all' | 'none' {
  const { subject, effect } = rule;
  if (subject === null) return 'all';
  if (subject.startsWith('!')) return 'none';
  if (effect !== 'allow' && (subject === '*' || subject === '**')) return 'all';
  const own = rootOf(rule, places);
  if (own === null) return effect === 'allow' ? 'none' : 'all';
  const takenBack = laterExceptions(rule, named).map((each) => rootOf(each, places));
  if (takenBack.includes(null) && effect === 'allow') return 'none';
  const wide = effect !== 'allow' && /^\/(?!\/)/.test(subject) ? [subject] : [];
  return [own, ...wide, ...takenBack.filter((pattern) => pattern !== null)];
}

function laterExceptions(rule: SourcedRule, named: readonly SourcedRule[]): readonly SourcedRule[] {
  return named
    .slice(named.indexOf(rule) + 1)
    .filter(({ source, subject }) => source === rule.source && subject?.startsWith('!') === true);
}

function rootOf({ subject, base }: SourcedRule, places: PatternPlaces): RootPattern | null {
  return rootPattern(subject ?? '', base ?? places.dir, places);
}

/** A host is held against rules as the request would go to it. */
function meansHost({ effect }: SourcedRule, spec: string, subject: string): boolean {
  const wide = effect !== 'allow';
  const rule = parseDomain(spec);
  const host = normalHost(subject.replace(/^domain:/, ''));
  if (typeof rule === 'string' || host === null) return wide;
  return matchesDomain(rule, host, wide);
}

/** Without the backslash before each star. */
export function exactText(subject: string): string {
  return subject.replaceAll('\\*', '*');
}

/**
 * What searches may not show: for each source of rules its patterns in order, those of deny rules and those of ask rules that nobody was
 * asked about, because they do not cover the whole place that is searched.
 */
export function hiddenPatterns(
  facts: CallFacts,
  rules: readonly SourcedRule[],
  places: PatternPlaces,
): readonly (readonly RootPattern[])[] {
  if (!searchesTrees(facts.tool)) return [];
  return (['deny', 'ask'] as const).flatMap((effect) => {
    const named = rules.filter((rule) => rule.effect === effect && namesTool(rule, facts));
    return named.flatMap((rule): (readonly RootPattern[])[] => {
      const patterns = ownPatterns(rule, named, places);
      if (patterns === 'all' || patterns === 'none') return [];
      const asked = facts.paths.some(coveredBy(rule, named, facts.tool, places));
      return asked ? [] : [patterns];
    });
  });
}
