import { describe, expect, it } from 'vitest';
import type { CallFacts } from '../../../../shared/domain/permissions/call-facts.ts';
import { decide } from '../../../../shared/domain/permissions/policy.ts';
import { isInside } from '../../../../shared/domain/permissions/self-protection.ts';
import { parseRule, type SourcedRule } from '../../../../shared/domain/permissions/rules.ts';
import type { PermissionMode } from '../../../../shared/domain/sessions.ts';

const self = { home: '/home/u/.kairos', scratch: '/home/u/.kairos/scratch', words: ['.kairos', '4711'] };
const blank: Omit<CallFacts, 'tool' | 'access' | 'subject' | 'paths'> = {
  input: {},
  class: 'blind',
  cwd: '/w',
  preimages: [],
  preview: '',
  description: '',
};

function command(subject: string): CallFacts {
  return { ...blank, tool: 'Bash', access: 'command', subject, paths: [] };
}
function read(...paths: string[]): CallFacts {
  return { ...blank, class: 'pure', tool: 'Read', access: 'read', subject: paths[0] ?? '', paths };
}
function write(path: string, tool = 'Write'): CallFacts {
  return { ...blank, tool, access: 'write', subject: path, paths: [path] };
}
const talk: CallFacts = {
  ...blank,
  class: 'local',
  tool: 'SendUserMessage',
  access: 'person',
  subject: '',
  paths: [],
};

const history: CallFacts = {
  ...blank,
  class: 'pure',
  tool: 'transcript_search',
  access: 'read',
  subject: 'x',
  paths: [],
};

function rules(...texts: string[]): SourcedRule[] {
  return texts.flatMap((text): SourcedRule[] => {
    const [effect, ...rest] = text.split(' ');
    const { rule } = parseRule(effect as 'allow', rest.join(' '));
    return rule ? [{ ...rule, id: null, source: 'settings' }] : [];
  });
}

type Row = readonly [
  what: string,
  facts: CallFacts,
  rules: readonly string[],
  inDefault: string,
  inBypass: string,
];

const rows: readonly Row[] = [
  // Without rules: the mode decides.
  ['a command', command('ls'), [], 'ask', 'allow'],
  ['an empty command', command(''), [], 'ask', 'allow'],
  ['a command of several lines', command('ls\nrm -rf /'), [], 'ask', 'allow'],
  ['a read inside', read('/w/a.txt'), [], 'allow', 'allow'],
  ['a read of the directory itself', read('/w'), [], 'allow', 'allow'],
  ['a read outside', read('/etc/passwd'), [], 'ask', 'allow'],
  ['a read beside, with the same beginning', read('/work/a.txt'), [], 'ask', 'allow'],
  ['a read of two places, one outside', read('/w/a', '/etc/b'), [], 'ask', 'allow'],
  ['a write inside', write('/w/a.txt'), [], 'ask', 'allow'],
  ['a write outside', write('/srv/hosts'), [], 'ask', 'allow'],
  ['an edit inside', write('/w/a.txt', 'Edit'), [], 'ask', 'allow'],
  ['a word to the person', talk, [], 'allow', 'allow'],
  // Its own home is closed in every mode.
  ['a read of its home', read('/home/u/.kairos/kairos.db'), [], 'deny', 'deny'],
  ['a read of the home folder itself', read('/home/u/.kairos'), [], 'deny', 'deny'],
  ['a write to its home', write('/home/u/.kairos/settings.json'), [], 'deny', 'deny'],
  [
    'a write to its home that a rule allows',
    write('/home/u/.kairos/settings.json'),
    ['allow Write'],
    'deny',
    'deny',
  ],
  [
    'a write that touches its home and another place',
    { ...write('/w/a'), paths: ['/w/a', '/home/u/.kairos/x'] },
    [],
    'deny',
    'deny',
  ],
  ['a read of its scratch folder', read('/home/u/.kairos/scratch/ses_1/out.txt'), [], 'ask', 'allow'],
  [
    'a write to a folder that only begins like its home',
    write('/home/u/.kairos-backup/x'),
    [],
    'ask',
    'allow',
  ],
  // Commands that name Kairos ask in every mode, whatever allows them.
  ['a command that names kairos', command('kairos approve abcde'), [], 'ask', 'ask'],
  ['a command that names KAIROS', command('echo $KAIROS_HOME'), [], 'ask', 'ask'],
  ['a command that names its home', command('cat ~/.kairos/daemon.json'), [], 'ask', 'ask'],
  ['a command that names its port', command('curl http://127.0.0.1:4711/v1'), [], 'ask', 'ask'],
  ['a command that names kairos, allowed by its tool', command('kairos stop'), ['allow Bash'], 'ask', 'ask'],
  [
    'a command that names kairos, allowed exactly',
    command('kairos stop'),
    ['allow Bash(kairos stop)'],
    'ask',
    'ask',
  ],
  ['a command that names kairos, denied', command('kairos stop'), ['deny Bash(kairos stop)'], 'deny', 'deny'],
  ['a file named kairos', write('/w/kairos.txt'), [], 'ask', 'allow'],
  // Allow rules.
  ['a command allowed by its tool', command('ls'), ['allow Bash'], 'allow', 'allow'],
  ['a command allowed exactly', command('ls'), ['allow Bash(ls)'], 'allow', 'allow'],
  ['another command than the allowed one', command('ls -l'), ['allow Bash(ls)'], 'ask', 'allow'],
  ['a command that begins with the allowed one', command('ls; rm x'), ['allow Bash(ls)'], 'ask', 'allow'],
  ['a command with a space more than the allowed one', command('ls '), ['allow Bash(ls)'], 'allow', 'allow'],
  ['a command in other letters than the allowed one', command('LS'), ['allow Bash(ls)'], 'ask', 'allow'],
  ['a write where edits are allowed', write('/w/a'), ['allow Edit'], 'allow', 'allow'],
  ['a write allowed by path', write('/w/a'), ['allow Write(//w/a)'], 'allow', 'allow'],
  ['a write to another path than the allowed one', write('/w/b'), ['allow Write(//w/a)'], 'ask', 'allow'],
  ['a read outside allowed by its tool', read('/etc/hosts'), ['allow Read'], 'allow', 'allow'],
  ['a command where everything is allowed', command('ls'), ['allow *'], 'allow', 'allow'],
  ['a command with parentheses allowed exactly', command('(ls)'), ['allow Bash((ls))'], 'allow', 'allow'],
  // Ask rules hold in every mode and before allow rules.
  ['a command that a rule asks for', command('git push'), ['ask Bash(git push)'], 'ask', 'ask'],
  [
    'a command asked for and allowed',
    command('git push'),
    ['ask Bash(git push)', 'allow Bash'],
    'ask',
    'ask',
  ],
  [
    'a command asked for and allowed, the other way round',
    command('git push'),
    ['allow Bash', 'ask Bash(git push)'],
    'ask',
    'ask',
  ],
  ['a read inside that a rule asks for', read('/w/a'), ['ask Read'], 'ask', 'ask'],
  ['a read inside where everything asks', read('/w/a'), ['ask *'], 'ask', 'ask'],
  ['a look at earlier conversations', history, [], 'allow', 'allow'],
  ['a look at earlier conversations where everything asks', history, ['ask *'], 'ask', 'ask'],
  ['a look at earlier conversations where everything is denied', history, ['deny *'], 'deny', 'deny'],
  ['a word to the person where everything asks', talk, ['ask *'], 'allow', 'allow'],
  ['a word to the person where its tool asks', talk, ['ask SendUserMessage'], 'ask', 'ask'],
  ['another command than the one asked for', command('git pull'), ['ask Bash(git push)'], 'ask', 'ask'],
  // Deny rules come first. What a command consists of is not told here: rules may then mean it.
  ['a denied command', command('rm x'), ['deny Bash(rm x)'], 'deny', 'deny'],
  [
    'a denied command that is allowed too',
    command('rm x'),
    ['allow Bash', 'deny Bash(rm x)'],
    'deny',
    'deny',
  ],
  [
    'a denied command that is asked for too',
    command('rm x'),
    ['ask Bash', 'deny Bash(rm x)'],
    'deny',
    'deny',
  ],
  ['a command of a denied tool', command('ls'), ['deny Bash', 'allow Bash(ls)'], 'deny', 'deny'],
  ['a write where commands are denied', write('/w/a'), ['deny Bash'], 'ask', 'allow'],
  ['a read inside where everything is denied', read('/w/a'), ['deny *'], 'deny', 'deny'],
  ['a word to the person where everything is denied', talk, ['deny *'], 'allow', 'allow'],
  ['a word to the person where its tool is denied', talk, ['deny SendUserMessage'], 'deny', 'deny'],
  ['another command than the denied one', command('rm y'), ['deny Bash(rm x)'], 'ask', 'ask'],
  ['a command that contains the denied one', command('echo; rm x'), ['deny Bash(rm x)'], 'ask', 'ask'],
  // Patterns of a later version: the careful side.
  ['a command where a pattern is allowed', command('npm test'), ['allow Bash(npm *)'], 'ask', 'allow'],
  ['a command where a pattern is denied', command('npm test'), ['deny Bash(rm *)'], 'ask', 'ask'],
  ['a command where a pattern asks', command('npm test'), ['ask Bash(git *)'], 'ask', 'ask'],
  ['a write where a pattern of commands is denied', write('/w/a'), ['deny Bash(rm *)'], 'ask', 'allow'],
  // Look-alikes.
  ['a command with a full-width kairos', command('ｋairos stop'), [], 'ask', 'ask'],
  ['a command that hides the word', command('kai""ros stop'), [], 'ask', 'ask'],
];

describe('permission policy', () => {
  const cases = rows.flatMap(([what, facts, texts, inDefault, inBypass]) => [
    [what, 'default', facts, texts, inDefault] as const,
    [what, 'bypassPermissions', facts, texts, inBypass] as const,
  ]);
  it.each(cases)('%s in mode %s', (_what, mode: PermissionMode, facts, texts, behavior) => {
    expect(decide({ facts, mode, dir: '/w', rules: rules(...texts), self }).behavior).toBe(behavior);
  });

  it('says which rule decided and where it came from', () => {
    const rule: SourcedRule = { id: 'rul_1', source: 'always', effect: 'allow', tool: 'Bash', subject: 'ls' };
    expect(decide({ facts: command('ls'), mode: 'default', dir: '/w', rules: [rule], self })).toEqual({
      behavior: 'allow',
      by: 'rule (always)',
      rule: 'Bash(ls)',
    });
  });

  it.each([
    ['/a', '/a', true],
    ['/a/b', '/a', true],
    ['/ab', '/a', false],
    ['/', '/a', false],
    ['/a', '/', true],
    ['/a', '/a/', false],
    ['/a/b', '/a/', true],
  ])('%s is inside %s: %s', (path, folder, inside) => {
    expect(isInside(path, folder)).toBe(inside);
  });
});

describe('what else a session reads unasked', () => {
  const ask = (paths: string[], ownScratch?: string): string =>
    decide({
      facts: read(...paths),
      mode: 'default',
      dir: '/w',
      rules: [],
      self,
      ...(ownScratch === undefined ? {} : { ownScratch }),
    }).behavior;

  it('its own scratch folder, not the one of another session', () => {
    const own = '/home/u/.kairos/scratch/ses_1';
    expect([
      ask([`${own}/a.txt`], own),
      ask(['/home/u/.kairos/scratch/ses_2/a.txt'], own),
      ask([`${own}/a.txt`]),
    ]).toEqual(['allow', 'ask', 'ask']);
  });

  it('a web page asks, by its host', () => {
    const facts: CallFacts = {
      ...blank,
      class: 'pure',
      tool: 'WebFetch',
      access: 'network',
      subject: 'domain:a.example',
      paths: [],
    };
    const behaviour = (...texts: string[]): string =>
      decide({ facts, mode: 'default', dir: '/w', rules: rules(...texts), self }).behavior;
    expect([
      behaviour(),
      behaviour('allow WebFetch(domain:a.example)'),
      behaviour('allow WebFetch(domain:b.example)'),
    ]).toEqual(['ask', 'allow', 'ask']);
  });
});
