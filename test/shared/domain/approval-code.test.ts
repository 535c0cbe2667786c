import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvalCode, fnv1a, letters, parseVerdictText } from '../../../shared/domain/approval-code.ts';

const never = (): boolean => false;

describe('codes of prompts', () => {
  it('are five letters without l and without rude words, whatever they are made of', () => {
    fc.assert(
      fc.property(fc.string(), (keyed) => {
        const code = approvalCode(keyed, never);
        expect(code).toMatch(/^[a-km-z]{5}$/);
        expect(code).not.toMatch(/fuck|shit|ass|sex|nazi|cum|die|tit|fag|rape/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are made again while one is live', () => {
    const first = approvalCode('x', never);
    const second = approvalCode('x', (code) => code === first);
    const third = approvalCode('x', (code) => code === first || code === second);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  it('are the same for the same key', () => {
    expect(approvalCode('key:pmt_1', never)).toBe(approvalCode('key:pmt_1', never));
  });

  it('spread well', () => {
    const codes = Array.from({ length: 20_000 }, (_, index) => approvalCode(`key:pmt_${index}`, never));
    expect(new Set(codes).size).toBeGreaterThan(19_900);
  });

  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('hash "%s" as FNV-1a does', (text, hash) => {
    expect(fnv1a(text)).toBe(hash);
  });

  it.each([
    [0, 'aaaaa'],
    [24, 'zaaaa'],
    [25, 'abaaa'],
    [11, 'maaaa'],
    [0xffffffff, letters(0xffffffff)],
  ])('%i in letters is %s', (hash, text) => {
    expect(letters(hash)).toBe(text);
    expect(text).not.toContain('l');
  });
});

describe('verdicts written as text', () => {
  it.each([
    ['yes abcde', 'allow', 'abcde'],
    ['y abcde', 'allow', 'abcde'],
    ['no abcde', 'deny', 'abcde'],
    ['n abcde', 'deny', 'abcde'],
    ['YES ABCDE', 'allow', 'abcde'],
    ['  yes   abcde\n', 'allow', 'abcde'],
    ['Yes\tzzzzz', 'allow', 'zzzzz'],
  ])('%j is %s of %s', (text, behavior, code) => {
    expect(parseVerdictText(text)).toEqual({ behavior, code });
  });

  it.each([
    'yes',
    'no',
    'y',
    'abcde',
    'yesabcde',
    'yes abcd',
    'yes abcdef',
    'yes abcle',
    'yes abc1e',
    'yes abcde please',
    'well, yes abcde',
    'yes abcde no abcde',
    'allow abcde',
    'ok abcde',
    'yes  ',
    '',
    'ja abcde',
    'yes ａbcde',
    'yes abcd\u200be',
  ])('%j is chat', (text) => {
    expect(parseVerdictText(text)).toBeNull();
  });
});
