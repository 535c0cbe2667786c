import { expect, test } from 'vitest';
import { matchesName } from '../../../../shared/domain/hooks/matcher.ts';
import { hookName, hookRules } from '../../../../shared/domain/hooks/rules.ts';
import { readHooksSection } from '../../../../shared/domain/hooks/section.ts';

const command = { type: 'command', command: './guard.sh' };

test('a section as people write it is taken as it is', () => {
  const section = {
    PreToolUse: [
      { matcher: 'Edit|Write', hooks: [{ ...command, timeout: 5 }] },
      { matcher: '*', hooks: [command, { type: 'command', command: 'jq .' }] },
    ],
    Stop: [{ hooks: [command] }],
  };
  expect(readHooksSection({ ...section, projectAllow: true })).toEqual({
    hooks: section,
    projectAllow: true,
    notices: [],
  });
});

test('what cannot be taken is named and left out, the rest stands', () => {
  const read = readHooksSection({
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [{ type: 'prompt', prompt: 'ok?' }, command, { type: 'command', command: ' ' }],
      },
      { matcher: 3, hooks: [command] },
      { matcher: 'Read(', hooks: [{ ...command, timeout: 100_000 }] },
      'nonsense',
    ],
    PreTool: [{ hooks: [command] }],
    WorktreeCreate: [{ hooks: [command] }],
    PostToolUse: { hooks: [] },
    projectAllow: 'yes',
  });
  expect(read).toEqual({
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', hooks: [command] },
        { matcher: 'Read(', hooks: [{ ...command, timeout: 600 }] },
      ],
      WorktreeCreate: [{ hooks: [command] }],
      PostToolUse: [],
    },
    projectAllow: false,
    notices: [
      'hooks.PreToolUse.0.hooks.0 has the type "prompt"; this version runs "command" only: ignored.',
      'hooks.PreToolUse.0.hooks.2 has no command: ignored.',
      'hooks.PreToolUse.1.matcher is no text: ignored, with its hooks.',
      'hooks.PreToolUse.2.matcher "Read(" is no regular expression: its hooks run always, and their "allow" does not count.',
      'hooks.PreToolUse.3 has no list "hooks": ignored.',
      'hooks: there is no event "PreTool": its hooks never run.',
      'hooks.WorktreeCreate: nothing fires it in this version (Kairos makes no worktrees yet); its hooks never run.',
      'hooks.PostToolUse is no list: ignored.',
      'hooks.projectAllow is neither true nor false: hooks of projects may not allow.',
    ],
  });
});

test.each([
  [null, 'Bash', true],
  ['', 'Bash', true],
  ['*', 'mcp__a__b', true],
  ['Bash', 'Bash', true],
  ['Bash', 'BashOutput', false],
  ['Edit | Write', 'Write', true],
  ['Edit|Write', 'MultiEdit', false],
  ['mcp__memory__.*', 'mcp__memory__add', true],
  ['mcp__.*__write.*', 'mcp__disk__write_file', true],
  ['^Notebook', 'NotebookEdit', true],
  ['Read(', 'Bash', true],
])('matcher %j and %s: %s', (matcher, name, matches) => {
  expect(matchesName(matcher, name)).toBe(matches);
});

test('the "allow" of a project\'s hook and of one with an unreadable matcher counts only where it may', () => {
  const hooks = (matcher?: string) => ({
    PreToolUse: [
      { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command' as const, command: 'x' }] },
    ],
  });
  const given = [
    { source: 'managed', dir: null, hooks: hooks() },
    { source: 'project_local', dir: '/p', hooks: hooks() },
    { source: 'project', dir: '/p', hooks: hooks() },
    { source: 'settings', dir: null, hooks: hooks('(') },
  ] as const;
  const may = (projectAllow: boolean) =>
    hookRules(given, projectAllow).map((rule) => [rule.source, rule.mayAllow]);
  expect([may(false), may(true)]).toEqual([
    [
      ['managed', true],
      ['project_local', false],
      ['project', false],
      ['settings', false],
    ],
    [
      ['managed', true],
      ['project_local', true],
      ['project', true],
      ['settings', false],
    ],
  ]);
  expect(hookRules(given, false)[2]).toEqual({
    event: 'PreToolUse',
    matcher: null,
    command: 'x',
    timeoutMs: 60_000,
    source: 'project',
    dir: '/p',
    mayAllow: false,
  });
  expect(hookName({ command: 'a\nb', source: 'settings' })).toBe('a b, user settings');
});
