import type { CallFacts, Decision } from './call-facts.ts';
import type { PatternPlaces } from './path-patterns.ts';
import { formatRule, type Rule, type SourcedRule } from './rules.ts';
import { shellVerdict, type ShellVerdict } from './shell-policy.ts';
import { onlyReads, partsOf, pathsOfWords, redirectsOf, workDirs } from './shell-words.ts';
import { rulingOn } from './tool-rules.ts';

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
  return reason === null ? decision : { ...decision, reason };
}

function allowed({ allow }: ShellVerdict, rules: readonly SourcedRule[]): Decision | null {
  const [whole] = wholeTool('allow', rules);
  const named = whole === undefined ? (allow ?? []) : [whole.rule];
  const [first] = named;
  if (first === undefined) return null;
  return { behavior: 'allow', by: `rule (${first.source})`, rule: named.map(formatRule).join(', ') };
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
  const patterns = rules.filter(({ subject }) => subject !== null);
  const touched = (as: 'deny' | 'ask', tool: 'Read' | 'Edit', paths: readonly string[]): readonly Found[] => {
    const access = tool === 'Read' ? 'read' : 'write';
    const rule = rulingOn(
      as,
      { ...facts, tool, access, subject: paths[0] ?? '', paths: [...paths] },
      patterns,
      places,
    );
    return rule === null
      ? []
      : [{ rule, reason: `It ${access}s ${paths.length === 1 ? paths[0] : 'files'} that the rule names.` }];
  };
  const redirects = redirectsOf(facts);
  const given = namedFiles(facts, places);
  const found = [
    ...redirects.flatMap(({ access, paths }) =>
      access === 'none' ? [] : touched(effect, access === 'write' ? 'Edit' : 'Read', paths),
    ),
    ...given.read.flatMap((path) => touched(effect, 'Read', [path])),
  ];
  if (effect === 'deny') return found;
  const maybe = (['deny', 'ask'] as const).flatMap((as) =>
    given.named.flatMap((path) => [...touched(as, 'Read', [path]), ...touched(as, 'Edit', [path])]),
  );
  return [
    ...found,
    ...maybe.map(({ rule }) => ({ rule, reason: 'The command names a file that the rule is about.' })),
  ];
}

function namedFiles(
  facts: CallFacts,
  { dir, home }: PatternPlaces,
): { readonly read: readonly string[]; readonly named: readonly string[] } {
  const of = (reads: boolean): readonly string[] =>
    partsOf(facts)
      .filter((part) => onlyReads(part) === reads)
      .flatMap(({ words }) => pathsOfWords(words.slice(1), workDirs(facts, { dir, home }), home))
      .flatMap(({ path, kind }) => (kind === 'literal' ? [path] : []));
  return { read: of(true), named: of(false) };
}
