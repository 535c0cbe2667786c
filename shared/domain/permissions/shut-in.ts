import type { SandboxConfig } from '../sandbox.ts';
import type { CallFacts } from './call-facts.ts';
import type { SourcedRule } from './rules.ts';
import { isInside } from './self-protection.ts';
import { shellVerdict } from './shell-policy.ts';

/** What is known of a command when it is decided where it runs. */
export type ShutInFacts = Pick<CallFacts, 'subject' | 'shell'>;

/**
 * True when the command is to run in the sandbox. With the mode off: when some part of it is, or may be, one that `commands` names;
 * otherwise: unless every part is one that `exclude` names. A command that cannot be read is shut in wherever a rule speaks of
 * commands at all. `dir`: real path of the session's directory.
 */
export function isShutIn(facts: ShutInFacts, config: SandboxConfig, dir: string): boolean {
  const context = {
    dir,
    mayWrite: (paths: readonly string[]) => paths.every((path) => isInside(path, dir)),
    mayRead: () => true,
  };
  const rules = (texts: readonly string[], effect: SourcedRule['effect']): SourcedRule[] =>
    texts.map((text) => ({ effect, tool: 'Bash', subject: insideOf(text), id: null, source: 'settings' }));
  if (config.mode !== 'off') {
    if (config.exclude.length === 0) return true;
    return shellVerdict(facts, rules(config.exclude, 'allow'), context).allow === null;
  }
  if (config.commands.length === 0) return false;
  if (facts.shell?.kind !== 'parsed') return true;
  const { deny, ask } = shellVerdict(facts, rules(config.commands, 'deny'), context);
  return deny !== null || ask !== null;
}

/**
 * True for a command that runs shut in or not at all: a sandbox is required, and not every part of it is one that `exclude` names.
 * A call of Bash that only tells the model what is wrong with it (access `person`) runs nothing.
 */
export function mustBeShutIn(facts: CallFacts, config: SandboxConfig, dir: string): boolean {
  const runs = facts.access === 'command' || (facts.tool === 'Bash' && facts.access !== 'person');
  return runs && config.mode === 'required' && isShutIn(facts, config, dir);
}

/** `Bash(npm test)`, `npm test` and `Bash` (every command) are taken. */
function insideOf(text: string): string {
  const plain = text.trim();
  return /^Bash\(([\s\S]*)\)$/.exec(plain)?.[1] ?? (plain === 'Bash' ? '*' : plain);
}
