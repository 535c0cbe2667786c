import { describe, expect, it } from 'vitest';
import { parseRule } from '../../../../shared/domain/permissions/rules.ts';
import { spoken } from './support.ts';

type Row = readonly [host: string, domain: string, allow: boolean, deny: boolean];

/** Whether an allow rule and whether a deny rule with that domain speak about a page of the host. */
const rows: readonly Row[] = [
  ['example.com', 'example.com', true, true],
  ['www.example.com', 'example.com', false, true],
  ['a.b.example.com', 'example.com', false, true],
  ['www.example.com', '*.example.com', true, true],
  ['a.b.example.com', '*.example.com', true, true],
  ['example.com', '*.example.com', false, true],
  ['example.org', '*', true, true],
  ['127.0.0.1', '*', true, true],
  // Other hosts that only look like it.
  ['example.com.evil.org', 'example.com', false, false],
  ['evilexample.com', 'example.com', false, false],
  ['evilexample.com', '*.example.com', false, false],
  ['example.co', 'example.com', false, false],
  ['com', 'example.com', false, false],
  ['xexample.com', '*.example.com', false, false],
  // Other ways to write the same host.
  ['EXAMPLE.com', 'example.com', true, true],
  ['example.com', 'EXAMPLE.COM', true, true],
  ['example.com.', 'example.com', true, true],
  ['example.com', 'example.com.', true, true],
  ['example.com:8443', 'example.com', true, true],
  ['user:pass@example.com', 'example.com', true, true],
  ['example.com@evil.org', 'example.com', false, false],
  ['example.com%2eevil.org', 'example.com', false, false],
  ['evil.org/example.com', 'example.com', false, false],
  ['evil.org?x=example.com', 'example.com', false, false],
  ['evil.org#example.com', 'example.com', false, false],
  [String.raw`evil.org\example.com`, 'example.com', false, false],
  ['ex%61mple.com', 'example.com', true, true],
  ['ｅxample.com', 'example.com', true, true],
  ['bücher.de', 'bücher.de', true, true],
  ['xn--bcher-kva.de', 'bücher.de', true, true],
  ['BÜCHER.de', 'xn--bcher-kva.de', true, true],
  ['bucher.de', 'bücher.de', false, false],
  // A Cyrillic letter that looks like an a.
  ['ex\u0430mple.com', 'example.com', false, false],
  ['127.0.0.1', '127.0.0.1', true, true],
  ['2130706433', '127.0.0.1', true, true],
  ['0x7f.1', '127.0.0.1', true, true],
  ['[::1]', '[::1]', true, true],
  ['[0:0:0:0:0:0:0:1]', '[::1]', true, true],
  ['localhost', 'localhost', true, true],
];

describe('a domain of a rule means hosts, however they are written', () => {
  it.each(rows)('%s under domain:%s: allow %s, deny %s', async (host, domain, allow, deny) => {
    const of = async (effect: string) =>
      (await spoken(`WebFetch ${host}`, [`${effect} WebFetch(domain:${domain})`])) !== null;
    expect([await of('allow'), await of('deny'), await of('ask')]).toEqual([allow, deny, deny]);
  });

  it.each([
    'example.com',
    'https://example.com',
    'domain:',
    'domain:https://example.com',
    'domain:example.com/path',
    'domain:example.com:8443',
    'domain:user@example.com',
    'domain:exa mple.com',
    'domain:*.*.com',
    'domain:ex*mple.com',
    'domain:example.com?x',
    'domain:a..b',
    'domain:*.',
  ])('WebFetch(%s) names no host: nothing is allowed, and where it stops everything asks', (spec) => {
    const rule = (effect: 'allow' | 'deny') => parseRule(effect, `WebFetch(${spec})`);
    expect([rule('allow').rule, rule('deny').rule]).toEqual([
      null,
      { effect: 'ask', tool: 'WebFetch', subject: null },
    ]);
    expect(rule('allow').notice?.notice).toMatch(/domain.*: ignored\.$/);
  });
});
