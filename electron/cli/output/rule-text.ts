import { assertNever } from '../../../shared/base/assert-never.ts';
import { commandPattern, type CommandPattern } from '../../../shared/domain/permissions/command-pattern.ts';
import { launcherReason } from '../../../shared/domain/permissions/launchers.ts';
import { parseRule, type Rule } from '../../../shared/domain/permissions/rules.ts';
import { specLanguage } from '../../../shared/domain/permissions/tool-names.ts';
import type { ShellWord } from '../../../shared/domain/permissions/shell-facts.ts';
import type { StandingRule } from '../../../shared/protocol/permissions.ts';
import { foreignLine } from './foreign-text.ts';

/** Where a rule stands, in a few words. */
export function ruleOrigin({ source, file, session, sessionName }: StandingRule): string {
  const where = foreignLine(sessionName ?? session ?? '');
  switch (source) {
    case 'managed':
      return `managed settings (${foreignLine(file ?? '')})`;
    case 'command_line':
      return `given to ${where} when it was made`;
    case 'project':
    case 'project_local':
    case 'settings':
      return foreignLine(file ?? source);
    case 'session':
      return `only in ${where}`;
    case 'always':
      return 'everywhere';
    default:
      return assertNever(source, 'source of a rule');
  }
}

/** What a rule does, one sentence; null for a text that is none. `where`: where it holds. */
export function ruleMeaning(effect: Rule['effect'], text: string, where: string): string | null {
  const { rule } = parseRule(effect, text);
  if (rule === null) return null;
  const vain = rule.effect === 'allow' ? vainReason(rule) : null;
  if (vain !== null) return `It lets nothing run: ${vain}. Allow exact commands instead.`;
  const uses = usesOf(rule);
  return `${uses.charAt(0).toUpperCase()}${uses.slice(1)} ${outcome(rule.effect)}, ${where}.`;
}

/** Why an allow rule with a star covers no command: what it names starts whatever comes behind it. */
function vainReason({ tool, subject }: Pick<Rule, 'tool' | 'subject'>): string | null {
  if (tool !== 'Bash' || subject === null) return null;
  const pattern = commandPattern(subject);
  const words = pattern.kind === 'exact' ? [] : wordsBefore(pattern);
  return words.length === 0 ? null : launcherReason(words, words.length);
}

/** The words that a pattern spells out before its first star. */
function wordsBefore(pattern: Extract<CommandPattern, { kind: 'glob' }>): ShellWord[] {
  const [first = ''] = pattern.pieces;
  const whole = pattern.pieces.length > 1 && !first.endsWith(' ') ? first.replace(/\S*$/, '') : first;
  return whole
    .split(' ')
    .filter((text) => text !== '')
    .map((text) => ({ text, kind: 'literal' }));
}

function outcome(effect: Rule['effect']): string {
  switch (effect) {
    case 'allow':
      return 'runs without a question unless a rule or what is protected demands one';
    case 'ask':
      return 'asks every time, in every mode';
    case 'deny':
      return 'never runs';
    default:
      return assertNever(effect, 'effect');
  }
}

function usesOf({ tool, subject }: Pick<Rule, 'tool' | 'subject'>): string {
  if (tool === '*') return 'every use of every tool';
  if (subject === null) return tool.startsWith('mcp__') ? mcpUses(tool) : `every use of ${tool}`;
  const what = foreignLine(subject);
  const language = specLanguage(tool);
  switch (language) {
    case 'shell':
      return shellUses(subject);
    case 'path':
      return `${tool} on files that match "${what}"`;
    case 'domain':
      return `${tool} of ${what.replace(/^domain:/, '')}`;
    case 'exact':
    case 'none':
      return `${tool} of "${what}"`;
    default:
      return assertNever(language, 'language of a rule');
  }
}

function mcpUses(tool: string): string {
  return tool.endsWith('*')
    ? `every tool whose name begins with ${tool.slice(0, -1)}`
    : `every tool of ${tool}`;
}

/** Every part of a compound command has to be covered by itself; the policy sees to that. */
function shellUses(spec: string): string {
  const pattern = commandPattern(spec);
  if (pattern.kind === 'exact') return `the command "${foreignLine(pattern.text)}" as it stands`;
  const shape = foreignLine(pattern.pieces.join('*'));
  if (pattern.open && pattern.pieces.length === 1)
    return `every command "${shape}", alone or with more behind it,`;
  return `every command of the shape "${shape}"${pattern.open ? ', alone or with more behind it,' : ''}`;
}
