import { describe, expect, it } from 'vitest';
import { formatRule, parseRule } from '../../../../shared/domain/permissions/rules.ts';

describe('rules as people write them', () => {
  it.each([
    ['Bash', { tool: 'Bash', subject: null }],
    ['  Bash  ', { tool: 'Bash', subject: null }],
    ['Bash(ls -l)', { tool: 'Bash', subject: 'ls -l' }],
    ['Bash(echo (a) b)', { tool: 'Bash', subject: 'echo (a) b' }],
    ['Bash(a\nb)', { tool: 'Bash', subject: 'a\nb' }],
    ['mcp__git-hub_x', { tool: 'mcp__git-hub_x', subject: null }],
    ['*', { tool: '*', subject: null }],
  ])('%s', (text, rule) => {
    expect(parseRule('allow', text)).toEqual({ rule: { effect: 'allow', ...rule }, notice: null });
  });

  it('empty brackets never open the whole tool', () => {
    expect(parseRule('allow', 'Bash()').rule).toBeNull();
    expect(parseRule('deny', 'Bash()').rule).toEqual({ effect: 'ask', tool: 'Bash', subject: null });
  });

  it.each(['bash', 'Bashh(x)', 'Edits'])('%s names no tool and says which there are', (text) => {
    const { rule, notice } = parseRule('deny', text);
    expect(rule).toBeNull();
    expect(notice?.problem).toMatch(/names no tool \(there is: Bash, Read, Write/);
  });

  it.each(['', 'two words', 'Bash(ls', '(ls)', '7up', 'Bash ls)'])('"%s" is no rule and says so', (text) => {
    const { rule, notice } = parseRule('deny', text);
    expect([rule, notice?.text]).toEqual([null, text]);
  });

  it.each([
    [{ tool: 'Bash', subject: null }, 'Bash'],
    [{ tool: 'Bash', subject: 'ls' }, 'Bash(ls)'],
  ])('%o is written %s', (rule, text) => {
    expect(formatRule(rule)).toBe(text);
  });
});
