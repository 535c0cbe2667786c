import { describe, expect, test } from 'vitest';
import { decide } from '../../../../shared/domain/permissions/policy.ts';
import { parseRule, type SourcedRule } from '../../../../shared/domain/permissions/rules.ts';
import { isShutIn } from '../../../../shared/domain/permissions/shut-in.ts';
import type { ShellFacts } from '../../../../shared/domain/permissions/shell-facts.ts';
import { noSandbox, type SandboxConfig } from '../../../../shared/domain/sandbox.ts';
import type { PermissionMode } from '../../../../shared/domain/sessions.ts';

/** Simple commands joined by anything; words without quotes. */
function parsed(...parts: readonly string[]): ShellFacts {
  return {
    kind: 'parsed',
    redirects: [],
    odd: [],
    parts: parts.map((source) => ({
      source,
      assignments: [],
      redirects: [],
      words: source.split(' ').map((text) => ({ text, kind: text.startsWith('$') ? 'dynamic' : 'literal' })),
    })),
  };
}
const unparsed: ShellFacts = { kind: 'unparsed', reason: 'it could not be read' };

const shut = (config: Partial<SandboxConfig>, shell: ShellFacts): boolean => {
  const subject = shell.kind === 'parsed' ? shell.parts.map(({ source }) => source).join(' && ') : '(';
  return isShutIn({ subject, shell }, { ...noSandbox, ...config }, '/work');
};

describe('which commands run shut in', () => {
  const commands = ['Bash(npm install:*)', 'make *', 'exact command'];
  const exclude = ['Bash(docker:*)', 'gh pr *'];

  test.each<[string, Partial<SandboxConfig>, ShellFacts, boolean]>([
    ['off: none', {}, parsed('ls'), false],
    ['off: what commands names', { commands }, parsed('npm install left-pad'), true],
    ['off: no other', { commands }, parsed('npm test'), false],
    ['off: an exact one', { commands }, parsed('exact command'), true],
    ['off: all, when any part is named', { commands }, parsed('ls', 'cd x', 'make all'), true],
    ['off: what may be named is', { commands }, parsed('ls', '$x install'), true],
    ['off: what cannot be read, where commands are named', { commands }, unparsed, true],
    ['off: what cannot be read, where none is', {}, unparsed, false],
    ['on: all', { mode: 'on' }, parsed('ls'), true],
    ['on: but what exclude names', { mode: 'on', exclude }, parsed('docker ps'), false],
    ['on: all, when one part is not named', { mode: 'on', exclude }, parsed('docker ps', 'curl x'), true],
    ['on: out, when every part is', { mode: 'on', exclude }, parsed('docker ps', 'gh pr list'), false],
    ['on: what only begins like it', { mode: 'on', exclude }, parsed('dockerx ps'), true],
    ['on: what is known later', { mode: 'on', exclude }, parsed('$x ps'), true],
    ['on: what cannot be read', { mode: 'on', exclude }, unparsed, true],
    [
      'on: what does nothing by itself goes along',
      { mode: 'on', exclude },
      parsed('docker ps', 'true'),
      false,
    ],
    ['on: but is shut in alone', { mode: 'on', exclude }, parsed('true'), true],
    ['required: as on', { mode: 'required', exclude }, parsed('docker ps'), false],
  ])('%s', (_what, config, shell, expected) => expect(shut(config, shell)).toBe(expected));
});

describe('the policy', () => {
  const rules = (texts: readonly string[]): SourcedRule[] =>
    texts.flatMap((text) => {
      const [effect = '', rule = ''] = text.split(/ (.*)/s);
      const { rule: made } = parseRule(effect as SourcedRule['effect'], rule);
      return made === null ? [] : [{ ...made, id: null, source: 'settings' as const }];
    });
  const behavior = (
    sandboxed: boolean | undefined,
    mode: PermissionMode,
    texts: readonly string[] = [],
    auto = false,
    command = 'touch a',
  ): string =>
    decide({
      facts: {
        tool: 'Bash',
        input: { command },
        class: 'blind',
        cwd: '/work',
        subject: command,
        access: 'command',
        paths: [],
        preimages: [],
        preview: command,
        description: '',
        shell: parsed(command),
        ...(sandboxed === undefined ? {} : { sandboxed }),
      },
      mode,
      dir: '/work',
      rules: rules(texts),
      sandboxAutoAllow: auto,
      self: { home: '/home/me/.kairos', scratch: '/home/me/.kairos/scratch', words: [] },
    }).behavior;

  test.each<[string, string, string]>([
    ['without a sandbox that is wanted, bypass asks', behavior(false, 'bypassPermissions'), 'ask'],
    ['and an allow rule', behavior(false, 'default', ['allow Bash(touch:*)']), 'ask'],
    ['and automatic leave', behavior(false, 'default', [], true), 'ask'],
    ['nobody is asked in dontAsk', behavior(false, 'dontAsk', ['allow Bash(touch:*)']), 'deny'],
    ['a deny rule still denies', behavior(false, 'default', ['deny Bash(touch:*)']), 'deny'],
    ['in the sandbox it asks as ever', behavior(true, 'default'), 'ask'],
    ['with automatic leave it runs', behavior(true, 'default', [], true), 'allow'],
    ['also where nobody is asked', behavior(true, 'dontAsk', [], true), 'allow'],
    ['never while a plan is made', behavior(true, 'plan', [], true), 'deny'],
    ['an ask rule asks', behavior(true, 'default', ['ask Bash(touch:*)'], true), 'ask'],
    ['a deny rule denies', behavior(true, 'default', ['deny Bash(touch:*)'], true), 'deny'],
    ['what names Kairos asks', behavior(true, 'default', [], true, 'kairos approve x'), 'ask'],
    ['automatic leave is for what is shut in', behavior(undefined, 'default', [], true), 'ask'],
  ])('%s', (_what, actual, expected) => expect(actual).toBe(expected));
});
