import { expect, test } from 'vitest';
import { type HookRun, readHookAnswer } from '../../../../shared/domain/hooks/answer.ts';
import { combineHooks } from '../../../../shared/domain/hooks/combine.ts';
import { withFailure } from '../../../../shared/domain/hooks/failing.ts';
import { type HookRule, hookRules } from '../../../../shared/domain/hooks/rules.ts';
import { readHooksSection } from '../../../../shared/domain/hooks/section.ts';

const rule: HookRule = {
  event: 'PreToolUse',
  matcher: null,
  command: 'guard',
  timeoutMs: 1000,
  source: 'settings',
  dir: null,
  mayAllow: true,
};
const exit = (code: number, stdout = ''): HookRun => ({ end: 'exit', code, stdout, stderr: '' });

function outcome(run: HookRun, more: Partial<HookRule> = {}) {
  const own = { ...rule, ...more };
  const answer = withFailure(own, readHookAnswer(own.event, run));
  const occasion = { event: 'PreToolUse', tool: 'Bash', input: {}, call: 'c' } as const;
  const { verdict, reports } = combineHooks(occasion, [{ rule: own, answer }]);
  return [verdict?.behavior ?? null, reports.map(({ outcome: kind, broken }) => [kind, broken ?? null])];
}

test.each<[string, HookRun]>([
  ['is missing', exit(127)],
  ['is too slow', { end: 'timeout', ms: 1000 }],
  ['crashes', { end: 'signal', signal: 'SIGSEGV' }],
  ['writes broken JSON', exit(0, '{"a')],
])('a guard that %s lets pass, with onFailure deny it denies; either is told', (_what, run) => {
  expect([outcome(run), outcome(run, { onFailure: 'deny' })]).toEqual([
    [null, [['failed', 'passes']]],
    [
      'deny',
      [
        ['failed', 'holds'],
        ['blocked', null],
      ],
    ],
  ]);
});

test('what works, what is cut off and what guards nothing is none of it', () => {
  const deny = { onFailure: 'deny' } as const;
  const after = withFailure({ ...rule, ...deny, event: 'PostToolUse' }, { failure: 'ended' });
  expect([outcome(exit(0), deny), outcome({ end: 'cut' }, deny), after]).toEqual([
    [null, []],
    [null, []],
    { failure: 'ended' },
  ]);
});

test('a hook says it itself or its section does; what cannot be read denies', () => {
  const command = { type: 'command', command: 'guard' };
  const { hooks, notices } = readHooksSection({
    onFailure: 'deny',
    PreToolUse: [{ hooks: [command, { ...command, onFailure: 'continue' }] }],
    PermissionRequest: [{ hooks: [{ ...command, timeout: 1, onFailure: 'ignore' }] }],
  });
  const rules = hookRules([{ source: 'settings', dir: null, hooks }], false);
  expect([rules.map(({ onFailure }) => onFailure ?? null), notices]).toEqual([
    ['deny', null, 'deny'],
    ['hooks.PermissionRequest.0.hooks.0.onFailure is neither "continue" nor "deny": "deny" holds.'],
  ]);
});
