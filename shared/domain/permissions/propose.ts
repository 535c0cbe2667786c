import type { CallFacts } from './call-facts.ts';
import { isNeverKept } from './never-kept.ts';
import { escapePattern, plainPath } from './path-patterns.ts';
import { decide, type PolicyInput } from './policy.ts';
import { formatRule, type KeptRule, type SourcedRule } from './rules.ts';
import { specLanguage } from './tool-names.ts';

/** A rule as it is kept with `always`, and with `session` for the session alone. */
export type ProposedRule = KeptRule;

/** How many words of a program name what it does, after the program itself; what else may follow changes nothing but details. */
const harmless: Readonly<Record<string, number | Readonly<Record<string, number>>>> = {
  ls: 0,
  pwd: 0,
  whoami: 0,
  uname: 0,
  which: 0,
  wc: 0,
  du: 0,
  df: 0,
  git: { status: 0, add: 0, commit: 0, 'rev-parse': 0, 'ls-files': 0, blame: 0 },
  npm: { run: 1, 'run-script': 1, test: 0, ls: 0 },
  pnpm: { run: 1, test: 0, ls: 0 },
  yarn: { run: 1, test: 0 },
  bun: { run: 1, test: 0 },
  cargo: { build: 0, check: 0, test: 0, clippy: 0, fmt: 0 },
  docker: { ps: 0, images: 0, logs: 0 },
};

/** A word that may stand in a prefix: a subcommand or a script's name, no option, path or pattern. */
const plainWord = /^[A-Za-z0-9][A-Za-z0-9:_-]*$/;

/**
 * The narrowest rule that is of use for a call like this one: it would let the call run unasked from now on. null where Kairos would ask
 * all the same (protected paths, its own, ask rules), for commands that nobody should stop seeing (`isNeverKept`), and where the rule or the call holds what `holdsSecret` finds.
 */
export function proposeRule(input: PolicyInput, holdsSecret: (text: string) => boolean): ProposedRule | null {
  const { facts } = input;
  if (holdsSecret(formatRule({ tool: facts.tool, subject: facts.subject }))) return null;
  if (isNeverKept(facts, { dir: input.dir, home: input.self.person?.home ?? null })) return null;
  const found = candidates(facts, input).find((rule) => {
    const kept = asShown(facts, rule);
    return !holdsSecret(formatRule(kept)) && lets(input, kept);
  });
  return found === undefined ? null : asShown(facts, found);
}

/** What was shown as shut in lets nothing like it run outside. */
function asShown({ sandboxed }: CallFacts, rule: ProposedRule): ProposedRule {
  return sandboxed === true ? { ...rule, sandboxed } : rule;
}

function lets(input: PolicyInput, rule: ProposedRule): boolean {
  const kept: SourcedRule = { ...rule, effect: 'allow', id: null, source: 'always' };
  return decide({ ...input, rules: [...input.rules, kept] }).behavior === 'allow';
}

function candidates(facts: CallFacts, { self }: PolicyInput): readonly ProposedRule[] {
  const { tool, subject } = facts;
  switch (specLanguage(tool)) {
    case 'shell':
      return [...prefixRules(facts), { tool, subject: exactCommand(subject) }];
    case 'path': {
      const pattern = `/${escapePattern(plainPath(subject, self.person?.platform ?? 'linux'))}`;
      return [{ tool: facts.access === 'write' ? 'Edit' : tool, subject: pattern }];
    }
    case 'domain':
      return [{ tool, subject }];
    case 'none':
      return [{ tool, subject: null }];
    case 'exact':
      return tool === 'WebSearch' || subject === ''
        ? [{ tool, subject: null }]
        : [{ tool, subject: exactCommand(subject) }];
  }
}

/** A star of the command is one, not a wildcard. */
function exactCommand(command: string): string {
  return command.replaceAll('*', String.raw`\*`);
}

/** `git status:*` for one plain command of a program that the table knows; nothing for what is put together or redirected. */
function prefixRules({ tool, shell }: CallFacts): readonly ProposedRule[] {
  if (shell?.kind !== 'parsed' || shell.redirects.length > 0 || shell.odd.length > 0) return [];
  const [part, ...others] = shell.parts;
  if (part === undefined || others.length > 0) return [];
  if (part.redirects.length > 0 || part.assignments.length > 0) return [];
  if (part.words.some(({ kind }) => kind !== 'literal')) return [];
  const words = part.words.map(({ text }) => text);
  const depth = depthOf(words);
  if (depth === null || !words.slice(0, depth).every((word) => plainWord.test(word))) return [];
  return [{ tool, subject: `${words.slice(0, depth).join(' ')}:*` }];
}

/** How many words make the prefix; null: the program or its subcommand is not in the table, forces something or skips checks. */
function depthOf(words: readonly string[]): number | null {
  const [program = '', subcommand = ''] = words;
  const known = Object.hasOwn(harmless, program) ? harmless[program] : undefined;
  if (known === undefined || words.some((word) => /^(?:--force|-f)\b/.test(word))) return null;
  if (
    words.some((word) => skipsChecks.test(word)) ||
    (subcommand === 'commit' && words.some(isShortNoVerify))
  )
    return null;
  if (typeof known === 'number') return known + 1;
  const more = Object.hasOwn(known, subcommand) ? known[subcommand] : undefined;
  if (more === undefined || words.length < 2 + more) return null;
  return 2 + more;
}

const skipsChecks = /^--(?:no-verif|no-gpg-sign|no-check|skip-|ignore-scripts|no-audit|insecure)/;

/** `-n` of `git commit`, also among other letters; what follows `m`, `F`, `C` or `c` is their text. */
function isShortNoVerify(word: string): boolean {
  return /^-[a-bd-zABDEG-Z]*n/.test(word) && !/^-[^n]*[mFCc]/.test(word);
}
