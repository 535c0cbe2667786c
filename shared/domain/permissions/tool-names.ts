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
  'ExitPlanMode',
  'SendUserMessage',
  'send_user_file',
  'transcript_search',
  'NoReply',
  'TaskStop',
  'Sleep',
] as const;

/** Names that settings hold for later or for other agents: as long as no such tool runs, rules with them decide nothing. */
const laterTools: ReadonlySet<string> = new Set([
  'Agent',
  'Task',
  'Skill',
  'Brief',
  'FindTools',
  'UseTool',
  'NotebookEdit',
  'NotebookRead',
  'LS',
  'BashOutput',
  'KillShell',
  'SendMessage',
  'PushNotification',
  'CronCreate',
  'CronList',
  'CronDelete',
  'SubscribePR',
  'UnsubscribePR',
  'pr_view',
  'pr_diff',
  'pr_comment',
  'pr_review',
  'checks_logs',
  'issue_comment',
  'memory_add',
  'memory_search',
  'memory_update_entry',
  'memory_remove',
  'profile_view',
  'profile_update',
  'read_skill_resource',
  'SlashCommand',
]);

/** True for a tool that runs in this version, will in a later one, or belongs to an MCP server. */
export function isKnownTool(tool: string): boolean {
  if (tool.startsWith('mcp__') || laterTools.has(tool)) return true;
  return ruleTools.some((known) => known === tool);
}

/** What stands between the brackets of a rule on a tool. `exact`: its one subject, such as a name. */
export type SpecLanguage = 'shell' | 'path' | 'domain' | 'none' | 'exact';

const editing: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);
const reading: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead']);

/** How rules on a tool say which uses they mean. */
export function specLanguage(tool: string): SpecLanguage {
  if (tool === 'Bash') return 'shell';
  if (editing.has(tool) || reading.has(tool)) return 'path';
  if (tool === 'WebFetch') return 'domain';
  return tool === '*' || tool.startsWith('mcp__') ? 'none' : 'exact';
}

/** True for tools that look through whole directories. */
export function searchesTrees(tool: string): boolean {
  return tool === 'Glob' || tool === 'Grep' || tool === 'LS';
}

/**
 * True when a rule that names `ruled` speaks about the tool `tool`: Edit, Write and MultiEdit are one, and what holds for Read holds for
 * Glob and Grep, but not the other way round.
 */
export function rulesTool(ruled: string, tool: string): boolean {
  if (ruled === tool) return true;
  return (editing.has(ruled) && editing.has(tool)) || (ruled === 'Read' && reading.has(tool));
}

/**
 * The same for tools of MCP servers: `mcp__server` and `mcp__server__*` are all tools of a server, `mcp__server__get_*` those that begin so.
 * A name with `__` in it may be that of a server or of one tool: `strict` (for what is allowed) takes it as the tool alone.
 */
export function rulesMcpTool(ruled: string, tool: string, strict: boolean): boolean {
  if (!ruled.startsWith('mcp__') || !tool.startsWith('mcp__')) return false;
  if (ruled.endsWith('*')) return tool.startsWith(ruled.slice(0, -1));
  if (ruled === tool) return true;
  if (!tool.startsWith(`${ruled}__`)) return false;
  const [server, rest] = [ruled.slice('mcp__'.length), tool.slice(ruled.length + 2)];
  return !strict || !(server.includes('__') || rest.includes('__'));
}
