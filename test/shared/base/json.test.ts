import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, isObject } from '../../../shared/base/json.ts';

describe('canonical JSON', () => {
  it.each([
    [{ b: 1, a: [2, { d: null, c: 'x' }] }, '{"a":[2,{"c":"x","d":null}],"b":1}'],
    [{ a: undefined, b: 0 }, '{"b":0}'],
    [[undefined, null], '[null,null]'],
    ['text "quoted"', '"text \\"quoted\\""'],
    [null, 'null'],
    [undefined, 'null'],
    [{}, '{}'],
    [[], '[]'],
    [{ 'a b': '\u2028' }, '{"a b":"\u2028"}'],
  ])('of %j', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('is the same however members are ordered, and holds the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value))).toBe(text);
      }),
    );
  });

  it.each([
    [{}, true],
    [[], false],
    [null, false],
    ['{}', false],
  ])('%j is an object: %s', (value, is) => {
    expect(isObject(value)).toBe(is);
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}
