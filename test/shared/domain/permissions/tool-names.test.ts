import { describe, expect, it } from 'vitest';
import { parseRule } from '../../../../shared/domain/permissions/rules.ts';
import { spoken } from './support.ts';

type Row = readonly [rule: string, call: string, allow: boolean, stop: boolean];

/** Whether the rule speaks about the call when it allows, and when it denies or asks. */
const rows: readonly Row[] = [
  ['Edit', 'Edit a', true, true],
  ['Edit', 'Write a', true, true],
  ['Edit', 'MultiEdit a', true, true],
  ['Write', 'Edit a', true, true],
  ['MultiEdit', 'Write a', true, true],
  ['Write(a)', 'Edit a', true, true],
  ['Edit(a)', 'Write a', true, true],
  ['Edit', 'Read a', false, false],
  ['Read', 'Read a', true, true],
  ['Read', 'Grep a', true, true],
  ['Read', 'Glob a', true, true],
  ['Grep', 'Read a', false, false],
  ['Glob', 'Read a', false, false],
  ['Glob', 'Grep a', false, false],
  ['Read', 'Edit a', false, false],
  ['Read', 'WebFetch example.com', false, false],
  ['WebFetch', 'WebFetch example.com', true, true],
  ['WebSearch', 'WebSearch cats', true, true],
  ['WebSearch(cats)', 'WebSearch cats', true, true],
  ['WebSearch(cats)', 'WebSearch dogs', false, false],
  [String.raw`WebSearch(a \* b)`, 'WebSearch a * b', true, true],
  ['*', 'Edit a', true, true],
  ['*', 'WebFetch example.com', true, true],
  ['*', 'mcp__github__get_issue x', true, true],
  ['*', 'SendUserMessage hi', false, false],
  ['SendUserMessage', 'SendUserMessage hi', true, true],
  // Tools of MCP servers.
  ['mcp__github', 'mcp__github__get_issue', true, true],
  ['mcp__github__*', 'mcp__github__get_issue', true, true],
  ['mcp__github__get_issue', 'mcp__github__get_issue', true, true],
  ['mcp__github__get_*', 'mcp__github__get_issue', true, true],
  ['mcp__github__get_*', 'mcp__github__set_issue', false, false],
  ['mcp__github__get_issue', 'mcp__github__get_issues', false, false],
  ['mcp__github', 'mcp__github_evil__run', false, false],
  ['mcp__github__*', 'mcp__github_evil__run', false, false],
  ['mcp__git', 'mcp__github__get_issue', false, false],
  ['mcp__plugin_p_s', 'mcp__plugin_p_s__run', true, true],
  // Where a name may be that of a server or of a tool, what allows takes the smaller one.
  ['mcp__a', 'mcp__a__b__run', false, true],
  ['mcp__a__b', 'mcp__a__b__run', false, true],
  ['mcp__a__b__*', 'mcp__a__b__run', true, true],
  ['mcp__github', 'Bash ls', false, false],
  // Agents and skills by name.
  ['Agent(reviewer)', 'Agent reviewer', true, true],
  ['Agent(reviewer)', 'Agent writer', false, false],
  ['Agent', 'Agent writer', true, true],
  ['Skill(pdf)', 'Skill pdf', true, true],
  ['Skill(pdf)', 'Skill docx', false, false],
  ['Skill(pdf)', 'Agent pdf', false, false],
];

describe('which tools a rule speaks about', () => {
  it.each(rows)('%s on %s: allow %s, deny or ask %s', async (rule, call, allow, stop) => {
    const of = async (effect: string) => (await spoken(call, [`${effect} ${rule}`])) !== null;
    expect([await of('allow'), await of('deny'), await of('ask')]).toEqual([allow, stop, stop]);
  });

  it('a rule may stop every server, but not allow every one that ever comes', async () => {
    expect(await spoken('mcp__github__x', ['deny mcp__*'])).toBe('mcp__*');
    expect(parseRule('allow', 'mcp__*')).toMatchObject({
      rule: null,
      notice: { problem: expect.stringMatching(/names no server/) as string },
    });
  });
});

describe('what a rule cannot say fails safe: an allow is ignored, a deny or ask makes the whole tool ask', () => {
  it.each([
    ['mcp__a__b(x)', /brackets/],
    ['*(x)', /brackets/],
    ['Agent(re*)', /a pattern/],
    ['Skill(*)', /a pattern/],
    ['TodoWrite(a*)', /a pattern/],
    ['Bash()', /nothing between/],
    ['Bash(  )', /nothing between/],
    ['Read()', /nothing between/],
    ['Read(!)', /empty pattern/],
    ['Read(*.{pem,key})', /braces/],
    ['Read({a,b})', /braces/],
    ['Read([ab)', /not closed/],
    ['Read([[:alpha:]])', /bracket expression/],
    ['Read(a\\)', /backslash/],
    ['Read(../x)', /"\.\."/],
    ['Read(a/../b)', /"\.\."/],
    ['Read(//a/./b)', /"\.\."/],
    ['Read(a//b)', /two slashes/],
    ['Read(///etc)', /two slashes/],
    ['Read(~ann/x)', /home of somebody/],
    ['Edit(a\nb)', /no path is written with/],
  ])('%s', (text, problem) => {
    const tool = text.slice(0, text.indexOf('('));
    const [allow, deny, ask] = (['allow', 'deny', 'ask'] as const).map((effect) => parseRule(effect, text));
    const asking = { effect: 'ask', tool, subject: null };
    expect([allow?.rule, deny?.rule, ask?.rule]).toEqual([null, asking, asking]);
    expect([allow?.notice?.problem, allow?.notice?.notice, deny?.notice?.notice]).toEqual([
      expect.stringMatching(problem),
      expect.stringMatching(/: ignored\.$/),
      `${deny?.notice?.problem.slice(0, -1)}: every use of ${tool} asks instead.`,
    ]);
  });

  it.each([
    'Agent(x)',
    'Skill(x)',
    'Task',
    'CronCreate',
    'memory_add',
    'NotebookEdit(a.ipynb)',
    'PushNotification',
  ])('%s is kept for when there is such a tool', (text) => {
    expect(parseRule('deny', text).notice).toBeNull();
  });
});
