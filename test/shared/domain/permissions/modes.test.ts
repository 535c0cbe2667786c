import { describe, expect, it } from 'vitest';
import type { PermissionMode } from '../../../../shared/domain/sessions.ts';
import { decided, self } from './support.ts';

const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'];
type Row = readonly [
  call: string,
  rules: readonly string[],
  default_: string,
  edits: string,
  plan: string,
  dontAsk: string,
  bypass: string,
];

/** What becomes of a call in each mode. */
const rows: readonly Row[] = [
  // Nothing speaks about it.
  ['Read a', [], 'allow', 'allow', 'allow', 'allow', 'allow'],
  ['Grep .', [], 'allow', 'allow', 'allow', 'allow', 'allow'],
  ['Glob src', [], 'allow', 'allow', 'allow', 'allow', 'allow'],
  ['Read /etc/hosts', [], 'ask', 'ask', 'ask', 'deny', 'allow'],
  ['Read in -> /etc/hosts', [], 'ask', 'ask', 'ask', 'deny', 'allow'],
  ['Read /srv/link -> /home/u/w/a', [], 'ask', 'ask', 'ask', 'deny', 'allow'],
  ['Read /home/u/wide', [], 'ask', 'ask', 'ask', 'deny', 'allow'],
  ['Edit a', [], 'ask', 'allow', 'deny', 'deny', 'allow'],
  ['Write src/new/a', [], 'ask', 'allow', 'deny', 'deny', 'allow'],
  ['MultiEdit a', [], 'ask', 'allow', 'deny', 'deny', 'allow'],
  ['Edit /srv/a', [], 'ask', 'ask', 'deny', 'deny', 'allow'],
  ['Edit in -> /srv/a', [], 'ask', 'ask', 'deny', 'deny', 'allow'],
  ['Edit .mcp.json', [], 'ask', 'ask', 'deny', 'deny', 'ask'],
  ['Bash ls', [], 'ask', 'ask', 'deny', 'deny', 'allow'],
  ['Bash rm -rf x', [], 'ask', 'ask', 'deny', 'deny', 'allow'],
  ['Bash kairos stop', [], 'ask', 'ask', 'deny', 'deny', 'ask'],
  ['WebFetch example.com', [], 'ask', 'ask', 'ask', 'deny', 'allow'],
  ['WebSearch cats', [], 'ask', 'ask', 'ask', 'deny', 'allow'],
  ['mcp__github__create_issue', [], 'ask', 'ask', 'deny', 'deny', 'allow'],
  ['SendUserMessage hi', [], 'allow', 'allow', 'allow', 'allow', 'allow'],
  ['AskUserQuestion what', [], 'allow', 'allow', 'allow', 'allow', 'allow'],
  ['ExitPlanMode plan', [], 'allow', 'allow', 'allow', 'allow', 'allow'],
  // What a rule allows runs, but not before a plan is approved.
  ['Edit a', ['allow Edit(a)'], 'allow', 'allow', 'deny', 'allow', 'allow'],
  ['Edit /srv/a', ['allow Edit(//srv/**)'], 'allow', 'allow', 'deny', 'allow', 'allow'],
  ['Bash ls -l', ['allow Bash(ls:*)'], 'allow', 'allow', 'deny', 'allow', 'allow'],
  ['Bash ls; rm x', ['allow Bash(ls:*)'], 'ask', 'ask', 'deny', 'deny', 'allow'],
  ['Bash ls > out', ['allow Bash(ls:*)'], 'ask', 'allow', 'deny', 'deny', 'allow'],
  ['Bash ls > out', ['allow Bash(ls:*)', 'allow Edit(out)'], 'allow', 'allow', 'deny', 'allow', 'allow'],
  ['Bash ls > /srv/out', ['allow Bash(ls:*)'], 'ask', 'ask', 'deny', 'deny', 'allow'],
  ['Bash ls > .mcp.json', ['allow Bash(ls:*)', 'allow Edit'], 'ask', 'ask', 'deny', 'deny', 'ask'],
  ['Bash wc < /etc/passwd', ['allow Bash(wc:*)'], 'ask', 'ask', 'deny', 'deny', 'allow'],
  ['Bash wc < a', ['allow Bash(wc:*)'], 'allow', 'allow', 'deny', 'allow', 'allow'],
  ['Read /etc/hosts', ['allow Read(//etc/hosts)'], 'allow', 'allow', 'allow', 'allow', 'allow'],
  [
    'WebFetch example.com',
    ['allow WebFetch(domain:example.com)'],
    'allow',
    'allow',
    'allow',
    'allow',
    'allow',
  ],
  ['mcp__github__create_issue', ['allow mcp__github'], 'allow', 'allow', 'deny', 'allow', 'allow'],
  // What asks, asks in every mode that has somebody to ask.
  ['Read a', ['ask Read(a)'], 'ask', 'ask', 'ask', 'deny', 'ask'],
  ['Edit a', ['ask Edit(*)'], 'ask', 'ask', 'deny', 'deny', 'ask'],
  ['Edit a', ['ask Edit', 'allow Edit(a)'], 'ask', 'ask', 'deny', 'deny', 'ask'],
  ['Bash git push', ['ask Bash(git push:*)', 'allow Bash'], 'ask', 'ask', 'deny', 'deny', 'ask'],
  ['WebFetch a.example.com', ['ask WebFetch(domain:example.com)'], 'ask', 'ask', 'ask', 'deny', 'ask'],
  ['SendUserMessage hi', ['ask *'], 'allow', 'allow', 'allow', 'allow', 'allow'],
  // What is denied never runs.
  ['Read a', ['deny Read(a)', 'allow Read'], 'deny', 'deny', 'deny', 'deny', 'deny'],
  ['Edit a', ['deny Edit', 'allow Edit(a)'], 'deny', 'deny', 'deny', 'deny', 'deny'],
  ['Bash rm x', ['deny Bash(rm:*)', 'allow Bash'], 'deny', 'deny', 'deny', 'deny', 'deny'],
  ['Bash ls; rm x', ['deny Bash(rm:*)', 'allow Bash'], 'deny', 'deny', 'deny', 'deny', 'deny'],
  ['Bash kairos stop', ['deny Bash(kairos:*)'], 'deny', 'deny', 'deny', 'deny', 'deny'],
  ['WebFetch a.example.com', ['deny WebFetch(domain:example.com)'], 'deny', 'deny', 'deny', 'deny', 'deny'],
  ['mcp__github__x', ['deny mcp__*'], 'deny', 'deny', 'deny', 'deny', 'deny'],
  ['Read a', ['deny *'], 'deny', 'deny', 'deny', 'deny', 'deny'],
  // Rules on files hold for commands.
  ['Bash echo x > secret', ['deny Edit(secret)', 'allow Bash'], 'deny', 'deny', 'deny', 'deny', 'deny'],
  ['Bash wc < secret', ['deny Read(secret)', 'allow Bash'], 'deny', 'deny', 'deny', 'deny', 'deny'],
  ['Bash cat secret', ['deny Read(secret)', 'allow Bash'], 'deny', 'deny', 'deny', 'deny', 'deny'],
  ['Bash cat ./src/../secret', ['deny Read(secret)', 'allow Bash'], 'deny', 'deny', 'deny', 'deny', 'deny'],
  ['Bash cd src && cat secret', ['deny Read(src/**)', 'allow Bash'], 'deny', 'deny', 'deny', 'deny', 'deny'],
  ['Bash python3 secret', ['deny Read(secret)', 'allow Bash'], 'ask', 'ask', 'deny', 'deny', 'ask'],
  ['Bash cp secret x', ['deny Read(secret)', 'allow Bash'], 'ask', 'ask', 'deny', 'deny', 'ask'],
  ['Bash cp x secret', ['deny Edit(secret)', 'allow Bash'], 'ask', 'ask', 'deny', 'deny', 'ask'],
  ['Bash cat other', ['deny Read(secret)', 'allow Bash'], 'allow', 'allow', 'deny', 'allow', 'allow'],
  ['Bash ls', ['deny Read', 'deny Edit', 'allow Bash'], 'allow', 'allow', 'deny', 'allow', 'allow'],
];

describe('what becomes of a call in each mode', () => {
  const cases = rows.flatMap(([call, rules, ...outcomes]) =>
    modes.map((mode, at) => [mode, call, rules, outcomes[at] ?? ''] as const),
  );
  it.each(cases)('%s: %s under %j: %s', async (mode, call, rules, behavior) => {
    expect((await decided(call, rules, { mode })).behavior).toBe(behavior);
  });
});

describe('hooks', () => {
  const hook = (behavior: 'allow' | 'ask' | 'deny') => ({
    facts: { hook: { behavior, reason: 'because', by: 'check.sh' } },
  });
  it.each([
    ['allow', [], 'Bash ls', 'allow'],
    ['allow', ['deny Bash(ls)'], 'Bash ls', 'deny'],
    ['allow', ['ask Bash(ls)'], 'Bash ls', 'ask'],
    ['allow', [], 'Bash kairos stop', 'ask'],
    ['allow', [], 'Edit .mcp.json', 'ask'],
    ['allow', [], 'Read /home/u/.kairos/x', 'deny'],
    ['ask', ['allow Bash(ls)'], 'Bash ls', 'ask'],
    ['ask', ['deny Bash(ls)'], 'Bash ls', 'deny'],
    ['deny', ['allow Bash(ls)'], 'Bash ls', 'deny'],
    ['deny', ['ask Bash(ls)'], 'Bash ls', 'deny'],
    ['deny', [], 'Bash kairos stop', 'deny'],
    ['deny', [], 'Read a', 'deny'],
  ] as const)('one that says %s under %j: %s: %s', async (says, rules, call, behavior) => {
    expect((await decided(call, rules, hook(says))).behavior).toBe(behavior);
  });

  it('are named with their reason, and do not open plan mode', async () => {
    expect(await decided('Bash ls', [], hook('deny'))).toEqual({
      behavior: 'deny',
      by: 'hook (check.sh)',
      rule: null,
      reason: 'because',
    });
    expect((await decided('Bash ls', [], { ...hook('allow'), mode: 'plan' })).behavior).toBe('deny');
  });

  it('a call that one put off is asked about also where nobody is asked otherwise', async () => {
    const facts = { hook: { behavior: 'ask', reason: '', by: 'x', deferred: true } } as const;
    expect((await decided('Bash ls', [], { facts, mode: 'dontAsk' })).behavior).toBe('ask');
  });
});

describe('the rule that is named', () => {
  it.each([
    [['managed deny Edit(a)', 'project deny Edit', 'deny Edit(*)'], 'rule (managed)', 'Edit(a)'],
    [['project deny Edit', 'deny Edit(*)', 'session deny Edit(a)'], 'rule (project)', 'Edit'],
    [['command_line allow Edit', 'always deny Edit(a)'], 'rule (always)', 'Edit(a)'],
    [['managed allow Edit', 'session ask Edit(a)'], 'rule (session)', 'Edit(a)'],
    [['managed allow Edit', 'session ask Edit', 'always deny Edit(b)'], 'rule (session)', 'Edit'],
    [['project_local allow Edit(*)', 'project allow Edit'], 'rule (project_local)', 'Edit(*)'],
    [['allow Edit(b)', 'session allow Edit(a)', 'always allow Edit'], 'rule (session)', 'Edit(a)'],
    [['allow *', 'always allow Edit(a)'], 'rule (settings)', '*'],
  ])('of %j is the first one of the strongest effect', async (rules, by, rule) => {
    expect(await decided('Edit a', rules)).toMatchObject({ by, rule });
  });

  it.each([
    ['ls -l', ['allow Bash(ls:*)'], 'Bash(ls:*)', undefined],
    ['ls && wc a', ['allow Bash(wc:*)', 'session allow Bash(ls:*)'], 'Bash(ls:*), Bash(wc:*)', undefined],
    ['ls', ['allow Bash', 'allow Bash(ls:*)'], 'Bash', undefined],
    ['ls && rm x', ['allow Bash(ls:*)'], null, '"rm x": No rule allows this part.'],
    ['cat a', ['deny Read(a)'], 'Read(a)', 'It reads /home/u/w/a.'],
    ['cp a b', ['deny Read(a)'], 'Read(a)', 'It may be what this rule denies. It names /home/u/w/a.'],
  ])('on "%s" under %j is %s', async (command, rules, rule, reason) => {
    const decision = await decided(`Bash ${command}`, rules);
    expect([decision.rule, decision.reason]).toEqual([rule, reason]);
  });
});

describe('without a word about the person', () => {
  const { person: _person, ...nobody } = self;
  it.each([
    ['allow Read(~/x)', 'ask'],
    ['deny Read(~/x)', 'deny'],
    ['ask Read(~/x)', 'ask'],
  ])('%s fails safe', async (rule, behavior) => {
    expect((await decided('Read /home/u/x', [rule], { self: nobody })).behavior).toBe(behavior);
  });
});
