import * as z from 'zod/mini';

/** A permission rule of this version: a whole tool, or one exact subject of it (a command, a path). */
export const ruleSchema = z.object({
  effect: z.enum(['allow', 'ask', 'deny']),
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
}

/** A rule text that could not be taken as written, and what is done instead. */
export interface RuleNotice {
  readonly text: string;
  /** What is wrong with it, one sentence; what holds instead is in `notice`. */
  readonly problem: string;
  readonly notice: string;
}

/** What a rule of this version can say; follows a problem with one. */
export const ruleForms =
  'Write a whole tool, "Bash", or one exact use of it, "Bash(git status)"; patterns come with a later version.';

/** The tools that a rule can name; those of MCP servers (`mcp__server__tool`) come and go. */
export const ruleTools = [
  'Bash',
  'Read',
  'Write',
  'Edit',
  'MultiEdit',
  'Glob',
  'Grep',
  'WebFetch',
  'WebSearch',
  'TodoWrite',
  'AskUserQuestion',
  'SendUserMessage',
  'NoReply',
  'Sleep',
] as const;

/** A rule on the tool at the right also holds for the one at the left, which does the same by another name. */
const sameAs: Readonly<Record<string, string>> = { MultiEdit: 'Edit', Glob: 'Read', Grep: 'Read' };

/** True when a rule that names `ruled` speaks about the tool `tool`. */
export function rulesTool(ruled: string, tool: string): boolean {
  return ruled === tool || sameAs[tool] === ruled;
}

/** Names that settings written for other agents hold; no such tool runs in this version, so their rules decide nothing. */
const otherTools = ['NotebookEdit', 'Agent', 'Task', 'Skill'];

function isKnownTool(tool: string): boolean {
  if (tool === '*' || tool.startsWith('mcp__') || otherTools.includes(tool)) return true;
  return ruleTools.some((known) => known === tool);
}

/** `*` alone stands for every tool but those that only talk to the person. */
const rulePattern = /^(\*|[A-Za-z_][A-Za-z0-9_-]*)(?:\(([\s\S]*)\))?$/;

/**
 * Reads `Tool` or `Tool(exact subject)`. Patterns (`*`, `:*`, `domain:`) are not understood yet: an allow with one is
 * ignored, a deny or ask with one makes the whole tool ask, so that nothing runs that the person meant to stop.
 */
export function parseRule(
  effect: Rule['effect'],
  text: string,
): { rule: Rule | null; notice: RuleNotice | null } {
  const match = rulePattern.exec(text.trim());
  if (!match?.[1]) {
    return failSafe(effect, text, null, 'is not of the form Tool or Tool(subject)');
  }
  const tool = match[1];
  const subject = match[2] ?? null;
  if (!isKnownTool(tool))
    return failSafe(effect, text, null, `names no tool (there is: ${ruleTools.join(', ')})`);
  if (subject === '') return failSafe(effect, text, tool, 'has nothing between its brackets');
  if (subject !== null && isPattern(tool, subject))
    return failSafe(effect, text, tool, 'uses a pattern, which this version does not know');
  return { rule: { effect, tool, subject }, notice: null };
}

/** `domain:<host>` is an exact subject of WebFetch. */
function isPattern(tool: string, subject: string): boolean {
  if (/[*?[\]]/.test(subject)) return true;
  return subject.startsWith('domain:') && tool !== 'WebFetch';
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

/** The text of a rule as a person reads and writes it. */
export function formatRule(rule: Pick<Rule, 'tool' | 'subject'>): string {
  return rule.subject === null ? rule.tool : `${rule.tool}(${rule.subject})`;
}
