import { expect, it } from 'vitest';
import { namedPaths } from '../../../../shared/domain/hooks/named-paths.ts';

const places = { project: '/r', session: '/r/pkg', top: '/r', home: '/h' };
const scripts = (command: string): string[] =>
  namedPaths(command, places).flatMap(({ path, isScript }) => (isScript ? [path] : []));

it.each<[string, readonly string[]]>([
  ['./check.sh --strict', ['/r/pkg/check.sh', '/r/check.sh']],
  ['bash check.sh', ['/r/pkg/check.sh', '/r/check.sh']],
  ['"$CLAUDE_PROJECT_DIR"/hooks/a.py; true', ['/r/hooks/a.py']],
  ['node ${KAIROS_PROJECT_DIR}/x.js', ['/r/x.js']],
  ['node ${CLAUDE_PROJECT_DIR:-.}/x.js', ['/r/x.js']],
  ['cd "$(git rev-parse --show-toplevel)" && ./x.sh', ['/r', '/r/pkg/x.sh', '/r/x.sh']],
  ['$(git rev-parse --show-toplevel)/x.sh', ['/r/x.sh']],
  [`sh -c 'exec "./in ner.sh" | cat'`, ['/r/pkg/in ner.sh', '/r/in ner.sh']],
  ['cd tools;./x', ['/r/pkg/x', '/r/x', '/r/pkg/tools/x', '/r/tools/x']],
  ['NODE_OPTIONS=--require=./p.cjs node -e 1', ['/r/pkg/p.cjs', '/r/p.cjs']],
  ['~/bin/a', ['/h/bin/a']],
  ['che"ck".sh', ['/r/pkg/check.sh', '/r/check.sh']],
  ['npm test', []],
  ['$UNKNOWN/x.sh *.sh', []],
])('%s names what it runs', (command, expected) => {
  expect(scripts(command)).toEqual(expect.arrayContaining([...expected]));
  if (expected.length === 0) expect(scripts(command)).toEqual([]);
});

it('a word that is no script by its look counts where a file lies', () => {
  expect(namedPaths('run check', { ...places, session: '/r' })).toEqual([
    { path: '/r/run', isScript: false },
    { path: '/r/check', isScript: false },
  ]);
});
