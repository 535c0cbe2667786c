import { parseShell } from '../../../../../electron/node/shell-syntax/parse-shell.ts';
import type { SourcedRule } from '../../../../../shared/domain/permissions/rules.ts';
import type { ShellFacts } from '../../../../../shared/domain/permissions/shell-facts.ts';
import { shellVerdict, type ShellVerdict } from '../../../../../shared/domain/permissions/shell-policy.ts';

/** A rule of settings on Bash. */
export function rule(effect: SourcedRule['effect'], subject: string): SourcedRule {
  return { effect, tool: 'Bash', subject, id: null, source: 'settings' };
}

/** Literal targets get a path below the session directory, `cd` goes to one. */
function withPaths(facts: ShellFacts): ShellFacts {
  if (facts.kind === 'unparsed') return facts;
  const place = (text: string): string => (text.startsWith('/') ? text : `/s/${text}`);
  return {
    ...facts,
    parts: facts.parts.map((part) => ({
      ...part,
      redirects: part.redirects.map((each) =>
        each.target?.kind === 'literal' ? { ...each, paths: [place(each.target.text)] } : each,
      ),
      ...(part.words[0]?.text === 'cd' && part.words[1]?.kind === 'literal'
        ? { goesTo: place(part.words[1].text) }
        : {}),
    })),
  };
}

/** What rules say about a command; `/s` is the session directory, files that begin with `out` may be written. */
export async function verdict(command: string, rules: readonly SourcedRule[]): Promise<ShellVerdict> {
  const shell = withPaths(await parseShell(command, 'bash'));
  return shellVerdict({ subject: command, shell }, rules, {
    dir: '/s',
    mayWrite: (paths) => paths.every((path) => path.startsWith('/s/out')),
    mayRead: (paths) => paths.every((path) => path.startsWith('/s/')),
  });
}
