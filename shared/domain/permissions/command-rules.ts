import type { CallFacts, Decision } from './call-facts.ts';
import type { PatternPlaces } from './path-patterns.ts';
import { formatRule, type Rule, type SourcedRule } from './rules.ts';
import type { ShellWord } from './shell-facts.ts';
import { shellVerdict, type ShellVerdict } from './shell-policy.ts';
import {
  isKnownPlace,
  namesTooMuch,
  onlyReads,
  partsOf,
  pathsOfWords,
  redirectsOf,
  workDirs,
} from './shell-words.ts';
import { fileRuling } from './tool-rules.ts';

/** What rules say about one command. */
export interface CommandRulings {
  readonly deny: Decision | null;
  readonly ask: Decision | null;
  readonly allow: Decision | null;
  /** Why no rule allows it, one or two sentences; null: one does, or nothing is known about the command. */
  readonly uncovered: string | null;
}

/** What a command touches besides what its own rules say; decided as if a file tool did it. */
export interface CommandPlaces extends PatternPlaces {
  /** True when a file tool could do this to the paths without a question. */
  mayTouch(access: 'read' | 'write', paths: readonly string[]): boolean;
}

/** Holds a command against all rules: those on Bash, and for what it redirects and reads those on files. */
export function commandRulings(
  facts: CallFacts,
  rules: readonly SourcedRule[],
  places: CommandPlaces,
): CommandRulings {
  const verdict = shellVerdict(facts, rules, {
    dir: places.dir,
    mayWrite: (paths) => places.mayTouch('write', paths),
    mayRead: (paths) => places.mayTouch('read', paths),
  });
  const stops = (effect: 'deny' | 'ask'): readonly Found[] => [
    ...wholeTool(effect, rules),
    ...(verdict[effect] === null ? [] : [verdict[effect]]),
    ...touchedFiles(effect, facts, rules, places),
  ];
  return {
    deny: firstOf('deny', stops('deny'), rules),
    ask: firstOf('ask', stops('ask'), rules),
    allow: allowed(verdict, rules),
    uncovered:
      verdict.uncovered === null || facts.shell === undefined ? null : whyUncovered(verdict.uncovered),
  };
}

interface Found {
  readonly rule: SourcedRule;
  readonly reason: string | null;
}

function wholeTool(effect: Rule['effect'], rules: readonly SourcedRule[]): readonly Found[] {
  const rule = rules.find(
    (each) => each.effect === effect && each.subject === null && (each.tool === 'Bash' || each.tool === '*'),
  );
  return rule === undefined ? [] : [{ rule, reason: null }];
}

/** Of what was found the rule that stands first. */
function firstOf(
  behavior: 'deny' | 'ask',
  found: readonly Found[],
  rules: readonly SourcedRule[],
): Decision | null {
  const [first] = found.toSorted((left, right) => rules.indexOf(left.rule) - rules.indexOf(right.rule));
  if (first === undefined) return null;
  const { rule, reason } = first;
  const decision: Decision = { behavior, by: `rule (${rule.source})`, rule: formatRule(rule) };
  if (reason === null) return decision;
  const mayBe = behavior === 'ask' && rule.effect === 'deny' ? 'It may be what this rule denies. ' : '';
  return { ...decision, reason: `${mayBe}${reason}` };
}

function allowed({ allow }: ShellVerdict, rules: readonly SourcedRule[]): Decision | null {
  const [whole] = wholeTool('allow', rules);
  const named = whole === undefined ? (allow ?? []) : [whole.rule];
  const [first] = named;
  if (first === undefined) return null;
  const sources = [...new Set(named.map(({ source }) => source))].join(', ');
  const by = `${named.length === 1 ? 'rule' : 'rules'} (${sources})`;
  return { behavior: 'allow', by, rule: named.map(formatRule).join(', ') };
}

function whyUncovered({ part, reason }: NonNullable<ShellVerdict['uncovered']>): string {
  return `"${part}": ${reason}`;
}

/**
 * Rules with patterns for files hold for commands too: surely for redirections and for programs that only read what they are given,
 * and as a question for a file that is named to any other program.
 */
function touchedFiles(
  effect: 'deny' | 'ask',
  facts: CallFacts,
  rules: readonly SourcedRule[],
  places: PatternPlaces,
): readonly Found[] {
  const ruled = (as: 'deny' | 'ask', tool: 'Read' | 'Edit', paths: readonly string[]): readonly Touched[] => {
    const ruling = fileRuling(as, tool, rules, places);
    return paths.flatMap((path) => {
      const rule = ruling(path);
      return rule === null ? [] : [{ rule, path }];
    });
  };
  const { reads, writes, named } = filesOf(facts, places);
  const sure = [
    ...ruled(effect, 'Read', reads).map(({ rule, path }) => ({ rule, reason: `It reads ${path}.` })),
    ...ruled(effect, 'Edit', writes).map(({ rule, path }) => ({ rule, reason: `It writes ${path}.` })),
  ];
  if (effect === 'deny') return sure;
  const maybe = (['deny', 'ask'] as const).flatMap((as) => [
    ...ruled(as, 'Read', named),
    ...ruled(as, 'Edit', named),
  ]);
  return [...sure, ...maybe.map(({ rule, path }) => ({ rule, reason: `It names ${path}.` }))];
}

interface Touched {
  readonly rule: SourcedRule;
  readonly path: string;
}

interface CommandFiles {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Given to a program that may do anything with them. */
  readonly named: readonly string[];
}

function filesOf(facts: CallFacts, where: PatternPlaces): CommandFiles {
  // Such a command is asked about in any case.
  const dirs = namesTooMuch(facts, where) ? [] : workDirs(facts, where);
  const known = (words: readonly ShellWord[]): readonly string[] =>
    pathsOfWords(words, dirs, where.home)
      .filter(isKnownPlace)
      .map(({ path }) => path);
  const redirected = (wanted: 'read' | 'write'): readonly string[] =>
    redirectsOf(facts).flatMap(({ access, paths, target }) => {
      if (access !== wanted) return [];
      return paths.length > 0 || target === null ? paths : known([target]);
    });
  const [reads, writes] = [redirected('read'), redirected('write')];
  const given = (onlyRead: boolean): readonly string[] =>
    partsOf(facts)
      .filter((part) => onlyReads(part) === onlyRead)
      .flatMap(({ words, leadsTo = [] }) => [...known(words.slice(1)), ...leadsTo]);
  return { reads: [...new Set([...reads, ...given(true)])], writes, named: [...new Set(given(false))] };
}
