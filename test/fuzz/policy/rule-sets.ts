import type { PermissionMode } from '../../../shared/domain/sessions.ts';

/** Rules and a mode; what runs under them is held against the same texts by the oracle. */
export interface RuleSet {
  readonly name: string;
  readonly mode: PermissionMode;
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** `allowed`: all that runs has to be named by an allow rule. `stopped`: nothing that runs may be named by a deny or ask rule. */
  readonly promise: 'allowed' | 'stopped';
}

function allowing(name: string, ...allow: readonly string[]): RuleSet {
  return { name, mode: 'default', allow, ask: [], deny: [], promise: 'allowed' };
}

/** Rule sets that every generated command is decided under. */
export const ruleSets: readonly RuleSet[] = [
  allowing('readers', 'Bash(echo:*)', 'Bash(ls:*)', 'Bash(git status:*)', 'Bash(cat:*)', 'Edit(./out/**)'),
  allowing('git', 'Bash(git:*)'),
  allowing('npm', 'Bash(npm run test:*)'),
  allowing('find', 'Bash(find:*)', 'Edit(./out/**)'),
  allowing(
    'filters',
    'Bash(grep *)',
    'Bash(sort:*)',
    'Bash(head:*)',
    'Bash(wc:*)',
    'Bash(sed:*)',
    'Bash(tar:*)',
    'Bash(cat *)',
    'Edit(./out/**)',
  ),
  allowing(
    'languages',
    'Bash(awk:*)',
    'Bash(xargs:*)',
    'Bash(sh:*)',
    'Bash(env:*)',
    'Bash(timeout:*)',
    'Bash(ls:*)',
  ),
  allowing(
    'exact',
    'Bash(make check)',
    'Bash(ls -la)',
    'Bash(git status)',
    'Bash(cat a.txt)',
    'Edit(./out/**)',
  ),
  allowing('stars', 'Bash(git * -n 5)', 'Bash(find * -type f)', 'Bash(echo *)', 'Bash(l* -l)'),
  {
    ...allowing('a session that accepts edits', 'Bash(cat:*)', 'Bash(echo:*)', 'Bash(ls:*)'),
    mode: 'acceptEdits',
  },
  {
    ...allowing('all but some, by a rule', 'Bash'),
    deny: ['Bash(rm:*)', 'Bash(git push:*)', 'Bash(curl:*)', 'Bash(marker:*)'],
    promise: 'stopped',
  },
  {
    ...allowing('all but some, by the mode'),
    mode: 'bypassPermissions',
    deny: ['Bash(rm *)', 'Bash(curl *)', 'Bash(marker *)'],
    ask: ['Bash(git push *)', 'Bash(touch pwned)'],
    promise: 'stopped',
  },
];
