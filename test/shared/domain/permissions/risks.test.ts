import { describe, expect, test } from 'vitest';
import type { CallFacts } from '../../../../shared/domain/permissions/call-facts.ts';
import { risksOf } from '../../../../shared/domain/permissions/risks.ts';
import type { ShellFacts, ShellPart } from '../../../../shared/domain/permissions/shell-facts.ts';

const places = {
  dir: '/w',
  isProtected: (path: string) => path.includes('/.git/'),
  mask: (text: string) => text.replaceAll('secret', '[masked]'),
};
const base: CallFacts = {
  tool: 'Bash',
  input: {},
  class: 'blind',
  cwd: '/w',
  subject: '',
  access: 'command',
  paths: [],
  preimages: [],
  preview: '',
  description: '',
};

/** The parts of a list of plain commands; a word that begins with `$` is dynamic. */
function parsed(...commands: readonly string[]): ShellFacts {
  const parts = commands.map((source): ShellPart => {
    const words = source.split(' ').map((text) => ({
      text,
      kind: text.startsWith('$') ? ('dynamic' as const) : ('literal' as const),
    }));
    return { source, assignments: [], words, redirects: [] };
  });
  return { kind: 'parsed', parts, redirects: [], odd: [] };
}

test('what is hidden as a secret is told, for it runs', () => {
  expect(risksOf({ ...base, preview: 'TOKEN=secret; sh $TOKEN' }, places)).toEqual([
    'Part of it is hidden because it looks like a secret; it counts all the same.',
  ]);
});

const rows: readonly (readonly [string, readonly string[]])[] = [
  ['ls -la', []],
  ['git status', []],
  ['echo rm', []],
  ['sudo ls', ['Runs with other rights: sudo ls']],
  ['rm -rf build', ['Deletes or overwrites: rm -rf build']],
  ['/bin/rm x', ['Deletes or overwrites: rm x']],
  ['xargs rm', ['Deletes or overwrites: rm']],
  ['find . -delete', ['Deletes or overwrites: find . -delete']],
  ['timeout 5 curl x', ['Uses the network: curl x']],
  ['git push origin main', ['Uses the network: git push origin main']],
  [
    'git push --force',
    ['Replaces history on the server: git push --force', 'Uses the network: git push --force'],
  ],
  [
    'git push origin +main',
    ['Replaces history on the server: git push origin +main', 'Uses the network: git push origin +main'],
  ],
  [`curl ${'x'.repeat(72)} secret`, [`Uses the network: curl ${'x'.repeat(72)} […`]],
  ['git reset --hard', ['Throws away work that is not committed: git reset --hard']],
  ['git clean -fdx', ['Throws away work that is not committed: git clean -fdx']],
  ['npm test', []],
  ['npm install x', ['Uses the network: npm install x']],
  ['bash -c x', ['Runs code that Kairos does not check: bash -c x']],
  ['$TOOL x', ['Which program runs is known only when it runs: $TOOL']],
];

describe('the risks of a call', () => {
  test.each(rows)('%s', (command, risks) => {
    expect(risksOf({ ...base, shell: parsed(command) }, places)).toEqual(risks);
  });

  test('stand the worst first, each once, over all parts of a command', () => {
    const shell = parsed('curl x', 'sh', 'rm a', 'rm a', 'sudo id');
    expect(risksOf({ ...base, shell }, places)).toEqual([
      'Runs with other rights: sudo id',
      'Deletes or overwrites: rm a',
      'Runs code that Kairos does not check: sh',
      'Uses the network: curl x',
    ]);
  });

  test('name a command that could not be read, and what in it is hard to follow', () => {
    const unparsed: ShellFacts = { kind: 'unparsed', reason: 'a quote is not closed.' };
    expect([
      risksOf({ ...base, shell: unparsed }, places),
      risksOf({ ...base, shell: { kind: 'parsed', parts: [], redirects: [], odd: ['function'] } }, places),
    ]).toEqual([
      ['Kairos cannot tell what all of it does: a quote is not closed.'],
      ['Has parts that are hard to follow: function'],
    ]);
  });

  test('name files outside the directory and those that run by themselves, also as targets of redirections', () => {
    const write: CallFacts = { ...base, tool: 'Write', access: 'write', paths: ['/w/a', '/etc/hosts'] };
    const target = (path: string) => ({
      access: 'write' as const,
      target: { text: path, kind: 'literal' as const },
      paths: [path],
    });
    const shell: ShellFacts = {
      kind: 'parsed',
      parts: [{ source: 'x', assignments: [], words: [], redirects: [target('/w/.git/hooks/pre-commit')] }],
      redirects: [target('/dev/null'), target('/tmp/x')],
      odd: [],
    };
    expect([risksOf(write, places), risksOf({ ...base, shell }, places)]).toEqual([
      ["Writes outside the session's directory: /etc/hosts"],
      [
        'Changes what runs by itself later: /w/.git/hooks/pre-commit',
        "Writes outside the session's directory: /tmp/x",
      ],
    ]);
  });

  test('name characters that cannot be seen, not those of emoji', () => {
    expect([
      risksOf({ ...base, preview: 'rm <U+202E>txt' }, places).length,
      risksOf({ ...base, preview: 'a heart <U+FE0F>' }, places),
    ]).toEqual([1, []]);
  });
});
