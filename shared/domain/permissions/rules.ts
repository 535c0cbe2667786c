import * as z from 'zod/mini';
import { parseDomain } from './domain-rules.ts';
import { patternProblem } from './path-patterns.ts';
import { isKnownTool, ruleTools, specLanguage } from './tool-names.ts';

/** A permission rule: a whole tool, or the uses of it that `subject` means (a command, a path pattern, a domain, a name). */
export const ruleSchema = z.object({
  effect: z.enum(['allow', 'ask', 'deny']),
  /** `*` is every tool but those that only talk to the person. */
  tool: z.string(),
  /** null = every use of the tool. */
  subject: z.nullable(z.string()),
});
export type Rule = z.infer<typeof ruleSchema>;

/** Where a rule came from; shown when it decides. */
export type RuleSource =
  | 'managed'
  | 'command_line'
  | 'project_local'
  | 'project'
  | 'settings'
  | 'always'
  | 'session';
/** A rule and where it came from; `id` null for rules of settings. */
export interface SourcedRule extends Rule {
  readonly id: string | null;
  readonly source: RuleSource;
  /** Directory that `/path` patterns of the rule start from: that of its settings file's project; absent: the session's directory. */
  readonly base?: string;
  /** Kept from a question about a command that was to run shut in: it holds for no other. */
  readonly sandboxed?: true;
}

/** A rule as a verdict keeps it. */
export type KeptRule = Pick<Rule, 'tool' | 'subject'> & Pick<SourcedRule, 'sandboxed'>;

/** A rule text that could not be taken as written, and what is done instead. */
export interface RuleNotice {
  readonly text: string;
  /** What is wrong with it, one sentence; what holds instead is in `notice`. */
  readonly problem: string;
  readonly notice: string;
}

/** What a rule can say; follows a problem with one. */
export const ruleForms =
  'Write a whole tool, "Bash", or some uses of it: "Bash(git status:*)", "Edit(/src/**)", "WebFetch(domain:example.com)", "mcp__server__tool".';

const rulePattern = /^(\*|mcp__[A-Za-z0-9_-]*\*?|[A-Za-z_][A-Za-z0-9_-]*)(?:\(([\s\S]*)\))?$/;

/**
 * Reads a rule as people write it. What cannot be taken as written fails safe: an allow is ignored, a deny or ask makes its whole tool
 * ask, so that nothing runs that the person meant to stop; `notice` says so.
 */
export function parseRule(
  effect: Rule['effect'],
  text: string,
): { rule: Rule | null; notice: RuleNotice | null } {
  const match = rulePattern.exec(text.trim());
  const tool = match?.[1];
  if (tool === undefined)
    return failSafe(effect, text, null, 'is not of the form Tool or Tool(what it is used on)');
  const subject = match?.[2] ?? null;
  if (tool !== '*' && !isKnownTool(tool))
    return failSafe(effect, text, null, `names no tool (there is: ${ruleTools.join(', ')})`);
  const problem = mcpProblem(effect, tool) ?? (subject === null ? null : specProblem(tool, subject));
  if (problem !== null) return failSafe(effect, text, tool, problem);
  return { rule: { effect, tool, subject }, notice: null };
}

/** A server has to be named by what allows: `mcp__*` would also allow those that come later. */
function mcpProblem(effect: Rule['effect'], tool: string): string | null {
  if (!tool.startsWith('mcp__')) return null;
  const named = /^mcp__[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*(?:__[A-Za-z0-9_-]*\*?)?$/.test(tool);
  if (named && tool !== 'mcp__') return null;
  return effect === 'allow' || !/^mcp__[A-Za-z0-9_-]*\*$/.test(tool)
    ? 'names no server; write mcp__server, mcp__server__* or mcp__server__tool'
    : null;
}

function specProblem(tool: string, subject: string): string | null {
  if (subject.trim() === '') return 'has nothing between its brackets';
  switch (specLanguage(tool)) {
    case 'path':
      return patternProblem(subject);
    case 'domain': {
      const domain = parseDomain(subject);
      return typeof domain === 'string' ? domain : null;
    }
    case 'none':
      return `has brackets, which rules on ${tool} do not have`;
    case 'exact':
      return /\*/.test(subject.replaceAll('\\*', ''))
        ? `uses a pattern, which rules on ${tool} do not have`
        : null;
    case 'shell':
      return null;
  }
}

function failSafe(
  effect: Rule['effect'],
  text: string,
  tool: string | null,
  why: string,
): ReturnType<typeof parseRule> {
  const what = `Rule "${text}" ${why}`;
  const problem = `${what}.`;
  if (effect === 'allow' || tool === null)
    return { rule: null, notice: { text, problem, notice: `${what}: ignored.` } };
  const notice = `${what}: every use of ${tool} asks instead.`;
  return { rule: { effect: 'ask', tool, subject: null }, notice: { text, problem, notice } };
}

/** The text of a rule as a person reads and writes it; one that was kept for the sandbox says so. */
export function formatRule({ tool, subject, sandboxed }: KeptRule): string {
  const text = subject === null ? tool : `${tool}(${subject})`;
  return sandboxed === true ? `${text} (in the sandbox)` : text;
}
