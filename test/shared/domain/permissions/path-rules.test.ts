import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapePattern } from '../../../../shared/domain/permissions/path-patterns.ts';
import { dir, spoken } from './support.ts';

/** A pattern, and paths that it covers and that it does not; the settings file's project is /home/u/proj. */
type Row = readonly [pattern: string, covers: readonly string[], not: readonly string[]];

const rows: readonly Row[] = [
  // A name alone is meant at any depth below the session's directory.
  ['a.txt', ['a.txt', 'src/a.txt', 'src/deep/a.txt'], ['b.txt', 'a.txt.bak', '/home/u/a.txt', '/a.txt']],
  ['*.env', ['.env', 'prod.env', 'src/x.env'], ['.env.local', 'env', '/home/u/.env']],
  ['.env*', ['.env', '.env.local', 'src/.env'], ['x.env']],
  ['src', ['src', 'src/a.ts', 'lib/src/a.ts'], ['srcs/a.ts', 'source/a.ts']],
  ['src/', ['src/a.ts', 'lib/src/deep/a.ts'], ['src']],
  ['*', ['a', 'src/a', '.hidden'], ['/home/u/a', '/etc/passwd']],
  ['**', ['a', 'src/a', '.hidden'], ['/home/u/a']],
  // With a slash inside, or ./ in front, it begins in the session's directory.
  ['src/a.ts', ['src/a.ts'], ['lib/src/a.ts', 'src/b.ts']],
  ['src/*.ts', ['src/a.ts'], ['src/deep/a.ts', 'a.ts']],
  ['src/**', ['src/a.ts', 'src/deep/a.ts', 'src/.x'], ['src', 'lib/src/a.ts']],
  ['src/**/*.ts', ['src/a.ts', 'src/x/y/a.ts'], ['src/a.js', 'a.ts']],
  ['**/test/*.ts', ['test/a.ts', 'src/test/a.ts'], ['test/x/a.ts']],
  ['./a.txt', ['a.txt'], ['src/a.txt', '/home/u/a.txt']],
  ['./src', ['src', 'src/a'], ['lib/src/a']],
  ['./src/**', ['src/a'], ['src']],
  ['./', ['a', 'src/a'], ['/home/u/a']],
  ['.', ['a', 'src/a'], ['/home/u/a']],
  ['./*', ['a', 'src/a'], ['/home/u/a']],
  ['a?c', ['abc', 'src/axc'], ['ac', 'abbc', 'a/c']],
  ['[ab].txt', ['a.txt', 'b.txt'], ['c.txt']],
  ['[!ab].txt', ['c.txt'], ['a.txt', 'b.txt']],
  ['[a-c]1', ['a1', 'c1'], ['d1']],
  // Letters' case counts on this system.
  ['README.md', ['README.md'], ['readme.md', 'Readme.MD']],
  // // begins at the root of the file system, ~/ in the person's home, / in the project of the settings file.
  ['//etc/hosts', ['/etc/hosts'], ['etc/hosts', '/home/u/etc/hosts']],
  ['//etc', ['/etc', '/etc/ssh/x'], ['/etcetera']],
  ['//etc/**', ['/etc/ssh/x'], ['/etc']],
  ['//**/secret.txt', ['/secret.txt', '/srv/x/secret.txt', 'secret.txt'], ['secret.txt2']],
  ['//**', ['/etc/x', 'a'], []],
  ['~/docs/*.pdf', ['/home/u/docs/a.pdf'], ['docs/a.pdf', '/home/v/docs/a.pdf', '/home/u/docs/x/a.pdf']],
  ['~/', ['/home/u/x', 'a'], ['/home/v/x']],
  ['~', ['/home/u/x', '/home/u'], ['/home/v/x']],
  ['/lib/a.ts', ['/home/u/proj/lib/a.ts'], ['lib/a.ts', '/lib/a.ts']],
  ['/lib/**', ['/home/u/proj/lib/x/a.ts'], ['lib/a.ts', '/home/u/proj/a']],
  ['/*', ['/home/u/proj/a', '/home/u/proj/x/a'], ['a']],
  // A backslash takes the meaning away.
  [String.raw`a\*b`, ['a*b'], ['axb']],
  [String.raw`a\?b`, ['a?b'], ['axb']],
  [String.raw`\[a\]`, ['[a]'], ['a']],
  [String.raw`\!a`, ['!a'], ['a']],
  [String.raw`\{a,b\}`, ['{a,b}'], ['a']],
  ['#a', ['#a'], ['a']],
  ['with space', ['with space', 'x/with space'], ['with', 'space']],
  [String.raw`end\ `, ['end '], ['end']],
  ['ünï', ['ünï'], ['uni']],
];

describe('a path pattern covers files as a .gitignore would', () => {
  const cases = rows.flatMap(([pattern, covers, not]) => [
    ...covers.map((path) => [pattern, 'covers', path] as const),
    ...not.map((path) => [pattern, 'does not cover', path] as const),
  ]);
  it.each(cases)('Edit(%s) %s %s', async (pattern, what, path) => {
    const rule = await spoken(`Edit ${path}`, [`allow Edit(${pattern})`], '/home/u/proj');
    expect(rule).toBe(what === 'covers' ? `Edit(${pattern})` : null);
  });
});

describe('for what denies or asks, the careful reading holds', () => {
  it.each([
    ['Read(/etc/x) from the root too', 'Read /etc/x', 'Read(/etc/x)'],
    ['Read(/etc/x) in the project', 'Read /home/u/proj/etc/x', 'Read(/etc/x)'],
    ['Read(*) everywhere', 'Read /etc/passwd', 'Read(*)'],
    ['Read(**) everywhere', 'Read /etc/passwd', 'Read(**)'],
    ['Read(a) nowhere else', 'Read /etc/a', null],
  ])('%s: %s', async (_what, call, text) => {
    const rule = `deny ${_what.split(' ')[0]}`;
    expect(await spoken(call, [rule], '/home/u/proj')).toBe(text);
    expect(await spoken(call, [rule.replace('deny', 'ask')], '/home/u/proj')).toBe(text);
  });
});

describe('both ends of a symbolic link', () => {
  it.each([
    ['allow', 'Edit(src/**)', 'Edit src/link -> src/real', true],
    ['allow', 'Edit(src/**)', 'Edit src/link -> /srv/real', false],
    ['allow', 'Edit(//srv/**)', 'Edit src/link -> /srv/real', false],
    ['allow', 'Edit(link)', 'Edit link -> real', false],
    ['deny', 'Edit(link)', 'Edit link -> real', true],
    ['deny', 'Edit(real)', 'Edit link -> real', true],
    ['ask', 'Read(//srv/**)', 'Read link -> /srv/real', true],
    ['ask', 'Read(other)', 'Read link -> real', false],
  ])('%s %s on %s: %s', async (effect, rule, call, speaks) => {
    expect(await spoken(call, [`${effect} ${rule}`])).toBe(speaks ? rule : null);
  });

  it('may be allowed by two rules', async () => {
    const rules = ['allow Edit(link)', 'allow Edit(real)'];
    expect(await spoken('Edit link -> real', rules)).toBe('Edit(real)');
  });
});

describe('a pattern with ! takes back what came before it in the same list', () => {
  it.each([
    [['deny Read(conf/*)', 'deny Read(!conf/public)'], 'Read conf/public', null],
    [['deny Read(conf/*)', 'deny Read(!conf/public)'], 'Read conf/private', 'Read(conf/*)'],
    // As in Git: what lies in a directory that is covered cannot be taken back.
    [['deny Read(conf)', 'deny Read(!conf/public)'], 'Read conf/public', 'Read(conf)'],
    [['deny Read(!conf/public)', 'deny Read(conf/*)'], 'Read conf/public', 'Read(conf/*)'],
    [['managed deny Read(conf/*)', 'project deny Read(!conf/public)'], 'Read conf/public', 'Read(conf/*)'],
    [['deny Read(!conf/public)'], 'Read conf/public', null],
    [['allow Edit(src/*)', 'allow Edit(!src/gen.ts)'], 'Edit src/gen.ts', null],
    [['allow Edit(src/*)', 'allow Edit(!src/gen.ts)'], 'Edit src/a.ts', 'Edit(src/*)'],
    [['allow Read(src/*)', 'allow Read(!src/gen.ts)'], 'Grep src', null],
  ])('%j on %s', async (rules, call, text) => {
    expect(await spoken(call, rules)).toBe(text);
  });
});

describe('a search is of a whole directory', () => {
  it.each([
    ['allow Read(src/**)', 'Grep src', true],
    ['allow Read(src/*)', 'Grep src', true],
    ['allow Read(src/)', 'Grep src', true],
    ['allow Read(src)', 'Glob src', true],
    ['allow Read(src/**)', 'Grep src/deep', true],
    ['allow Read(src/*.ts)', 'Grep src', false],
    ['allow Read(src/?)', 'Grep src', false],
    ['allow Read(src/[!a]*)', 'Grep src', false],
    ['allow Read(src/*/)', 'Grep src', false],
    ['allow Read(src/**)', 'Grep .', false],
    ['allow Read(//**)', 'Grep /', true],
    ['allow Read(//etc/**)', 'Grep /', false],
    ['allow Grep(src/**)', 'Grep src', true],
    ['allow Grep(src/**)', 'Read src/a', false],
    ['allow Glob(src/**)', 'Grep src', false],
    ['deny Read(src/**)', 'Grep src', true],
    ['deny Read(src/)', 'Glob src', true],
    ['deny Read(src[0-9]/)', 'Grep src1', true],
    ['deny Read(src/*.ts)', 'Grep src', false],
    ['deny Read(src/**)', 'Grep .', false],
  ])('%s on %s: %s', async (rule, call, speaks) => {
    expect((await spoken(call, [rule])) !== null).toBe(speaks);
  });
});

describe('on other systems', () => {
  it.each([
    ['darwin', 'allow Edit(README.md)', 'Edit readme.MD', true],
    ['darwin', 'allow Edit(u\u0308.txt)', 'Edit \u00FC.txt', true],
    ['win32', 'allow Edit(README.md)', 'Edit readme.MD', true],
    ['win32', 'allow Edit(//c/Users/u/**)', 'Edit /C:/x', false],
    ['linux', 'allow Edit(u\u0308.txt)', 'Edit \u00FC.txt', false],
  ] as const)('%s: %s on %s: %s', async (platform, rule, call, speaks) => {
    expect((await spoken(call, [rule], dir, platform)) !== null).toBe(speaks);
  });
});

describe('a path as a pattern', () => {
  it('matches itself and nothing else, whatever stands in it', async () => {
    const names = fc.stringMatching(/^[a-z*?[\]{}!#~ .\\-]{1,8}$/).filter((name) => !/^\.{1,2}$/.test(name));
    await fc.assert(
      fc.asyncProperty(names, names, async (name, other) => {
        const rule = `allow Edit(/${escapePattern(`${dir}/${name}`)})`;
        const facts = (path: string) => `Edit ${dir}/${path}`;
        expect(await spoken(facts(name), [rule])).not.toBeNull();
        if (other !== name) expect(await spoken(facts(other), [rule])).toBeNull();
      }),
      { numRuns: 300 },
    );
  });
});
