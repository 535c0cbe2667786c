import { describe, expect, test } from 'vitest';
import { type HookRun, readHookAnswer } from '../../../../shared/domain/hooks/answer.ts';

const exit = (code: number, stdout = '', stderr = ''): HookRun => ({ end: 'exit', code, stdout, stderr });
const json = (value: unknown): HookRun => exit(0, JSON.stringify(value));
const own = (value: Record<string, unknown>): HookRun => json({ hookSpecificOutput: value });

describe('what a PreToolUse hook said', () => {
  test.each<[string, HookRun, unknown]>([
    ['nothing', exit(0), {}],
    ['plain words, which mean nothing here', exit(0, 'checked 3 files'), {}],
    ['exit 2', exit(2, '', 'no rm here\n'), { block: 'no rm here' }],
    ['exit 2 without a reason', exit(2), { block: 'it gave no reason' }],
    ['another exit', exit(1, '', 'boom'), { failure: 'ended with exit code 1: boom' }],
    ['a crash', { end: 'signal', signal: 'SIGSEGV' }, { failure: 'ended by signal SIGSEGV' }],
    ['too late', { end: 'timeout', ms: 2_000 }, { failure: 'did not end within 2 s and was stopped' }],
    ['too much', { end: 'flood', bytes: 1024 * 1024 }, { failure: 'wrote more than 1 MB and was stopped' }],
    ['cut off', { end: 'cut' }, {}],
    [
      'allow',
      own({ permissionDecision: 'allow', permissionDecisionReason: 'fine' }),
      { permission: { behavior: 'allow', reason: 'fine' } },
    ],
    [
      'defer',
      own({ hookEventName: 'PreToolUse', permissionDecision: 'defer' }),
      { permission: { behavior: 'defer', reason: '' } },
    ],
    [
      'the older form of allow',
      json({ decision: 'approve', reason: 'ok' }),
      { permission: { behavior: 'allow', reason: 'ok' } },
    ],
    [
      'the older form of deny',
      json({ decision: 'block', reason: 'no' }),
      { permission: { behavior: 'deny', reason: 'no' } },
    ],
    ['a rewrite', own({ updatedInput: { command: 'ls' } }), { input: { command: 'ls' } }],
    [
      'words for the model and for people',
      json({ systemMessage: 'hi', unknown: [1], hookSpecificOutput: { additionalContext: 'c', new: 1 } }),
      { context: 'c', message: 'hi' },
    ],
    ['an end of the turn', json({ continue: false, stopReason: 'enough' }), { stop: 'enough' }],
  ])('%s', (_what, run, answer) => {
    expect(readHookAnswer('PreToolUse', run)).toEqual(answer);
  });

  test.each<[string, HookRun, unknown]>([
    [
      'no JSON',
      exit(0, '{"hookSpecificOutput": {"permissionDecision": "allow"'),
      { failure: 'wrote what begins like JSON and is none' },
    ],
    [
      'an unknown decision',
      own({ permissionDecision: 'ALLOW' }),
      { failure: 'wrote JSON of another shape ("hookSpecificOutput.permissionDecision")' },
    ],
    [
      'an allow beside a wrong type',
      own({ permissionDecision: 'allow', additionalContext: 5 }),
      { failure: 'wrote JSON of another shape ("hookSpecificOutput.additionalContext")' },
    ],
    [
      'an input that is no object',
      own({ permissionDecision: 'allow', updatedInput: 'rm -rf /' }),
      { failure: 'wrote JSON of another shape ("hookSpecificOutput.updatedInput")' },
    ],
    [
      'an answer for another event',
      own({ hookEventName: 'PostToolUse', permissionDecision: 'allow' }),
      { failure: 'answered for PostToolUse, not for PreToolUse' },
    ],
    [
      'a deny beside a wrong type holds',
      own({ permissionDecision: 'deny', updatedInput: 5 }),
      {
        permission: { behavior: 'deny', reason: 'its answer could not be read as a whole' },
        failure: 'wrote JSON of another shape ("hookSpecificOutput.updatedInput")',
      },
    ],
    [
      'an end beside a wrong type holds',
      json({ continue: false, systemMessage: 1 }),
      {
        stop: 'its answer could not be read as a whole',
        failure: 'wrote JSON of another shape ("systemMessage")',
      },
    ],
  ])('a lie never lets anything through: %s', (_what, run, answer) => {
    expect(readHookAnswer('PreToolUse', run)).toEqual(answer);
  });
});

test('plain words are for the model where a message or a session begins, cut where they are long', () => {
  expect([
    readHookAnswer('UserPromptSubmit', exit(0, 'the branch is main\n')),
    readHookAnswer('SessionStart', exit(0, 'x'.repeat(20_000))).context?.length,
    readHookAnswer('UserPromptSubmit', json({ decision: 'block', reason: 'a secret' })),
    readHookAnswer('Stop', json({ decision: 'block', reason: 'tests fail' })),
  ]).toEqual([{ context: 'the branch is main' }, 10_001, { block: 'a secret' }, { block: 'tests fail' }]);
});

test('a PermissionRequest hook decides about what is shown, not about another input', () => {
  const said = (decision: unknown): unknown =>
    readHookAnswer('PermissionRequest', own({ decision } as never));
  expect([
    said({ behavior: 'allow' }),
    said({ behavior: 'deny', message: 'no' }),
    said({ behavior: 'allow', updatedInput: { command: 'x' } }),
    readHookAnswer('PermissionRequest', own({ permissionDecision: 'allow' })),
  ]).toEqual([
    { permission: { behavior: 'allow', reason: '' } },
    { permission: { behavior: 'deny', reason: 'no' } },
    {},
    {},
  ]);
});
