import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkDocComments } from '../../build/check/doc-comments.mjs';
import { checkForbidden } from '../../build/check/forbidden.mjs';
import { checkLengths, percentile } from '../../build/check/lengths.mjs';
import { checkBarrels, checkSyntax, checkZodImports } from '../../build/check/modules.mjs';
import { checkReadmes } from '../../build/check/readmes.mjs';
import { parseSource } from '../../build/check/sources.mjs';

describe('forbidden calls', () => {
  const clock = 'time comes through the clock port';
  const chance = 'ids and randomness come through the ids port';
  const cases = [
    ['setTimeout(go, 1)', 'setTimeout', clock],
    ['globalThis.setInterval(go, 1)', 'setInterval', clock],
    ['const t = Date.now()', 'Date.now', clock],
    ['const port = { now: Date.now }', 'Date.now', clock],
    ['const t = new Date()', 'new Date', clock],
    ['const t = performance.now()', 'performance.now', clock],
    ['const id = crypto.randomUUID()', 'crypto.randomUUID', chance],
    ['const n = Math.random()', 'Math.random', chance],
    ["import { setTimeout as wait } from 'node:timers/promises'", 'node:timers/promises', clock],
  ] as const;

  test.each(cases)('include %s', (text, what, reason) => {
    const path = 'electron/daemon/schedule/due.ts';
    expect(checkForbidden([parseSource(path, text)])).toEqual([`${path}:1: ${what}: ${reason}`]);
  });

  test('are allowed in the ports, in tests, in build and, for timers, in the renderer', () => {
    const sources = [
      parseSource('electron/node/clock.ts', 'setTimeout(go, Date.now())'),
      parseSource('electron/node/ids.ts', 'crypto.randomUUID()'),
      parseSource('test/a.test.ts', 'setTimeout(go, Date.now())'),
      parseSource('build/a.mjs', 'new Date()'),
      parseSource('renderer/a.ts', 'setTimeout(go, 1)'),
    ];
    expect(checkForbidden(sources)).toEqual([]);
  });

  test('leave the clock port, comments, strings and dates of given instants alone', () => {
    const text = `// Date.now() and setTimeout()
      const sentence = 'new Date()';
      clock.setTimeout(go, 1);
      const day = new Date(instant);`;
    expect(checkForbidden([parseSource('electron/daemon/main.ts', text)])).toEqual([]);
  });

  test('include blocking child processes in the daemon only', () => {
    const text = "import * as childProcess from 'node:child_process';\nchildProcess.execSync('ls');";
    const sources = ['electron/daemon/main.ts', 'electron/cli/main.ts'].map((path) =>
      parseSource(path, text),
    );
    expect(checkForbidden(sources)).toEqual(['electron/daemon/main.ts:2: execSync: the daemon never blocks']);
  });
});

describe('lengths', () => {
  test('report long files and long functions, with the spread of both', () => {
    const body = '  go();\n'.repeat(59);
    const sources = [
      parseSource('shared/base/long.ts', 'go();\n'.repeat(401)),
      parseSource('shared/base/function.ts', `function f() {\n${body}}\n`),
      parseSource('shared/base/arrow.ts', `\nconst f = () => {\n${body}};\n`),
      parseSource('shared/base/fits.ts', 'go();\n'.repeat(400)),
    ];
    expect(checkLengths(sources)).toEqual({
      failures: [
        'shared/base/long.ts: 401 lines, the limit is 400',
        'shared/base/function.ts:1: a function of 61 lines, the limit is 60',
        'shared/base/arrow.ts:2: a function of 61 lines, the limit is 60',
      ],
      note: '4 files: median 62, p90 401, longest 401 lines; functions: median 61, p90 61, longest 61',
    });
  });

  test('do not count the callback of describe as a function', () => {
    const text = `describe('it', () => {\n${"  test('works', () => go());\n".repeat(70)}});\n`;
    expect(checkLengths([parseSource('test/a.test.ts', text)]).failures).toEqual([]);
  });

  test('have percentiles by nearest rank', () => {
    expect([percentile([], 0.5), percentile([3], 0.9), percentile([4, 1, 3, 2], 0.5)]).toEqual([0, 3, 2]);
  });
});

describe('modules', () => {
  test('that only pass on what others define are barrels', () => {
    const sources = [
      parseSource('shared/base/index.ts', 'export const a = 1;'),
      parseSource('shared/base/all.ts', "export * from './a.ts';\nexport { b } from './b.ts';"),
      parseSource('shared/base/a.ts', "export { b } from './b.ts';\nexport const a = 1;"),
      parseSource('shared/base/empty.ts', ''),
    ];
    expect(checkBarrels(sources)).toEqual([
      'shared/base/index.ts: a barrel; import from the file that defines the thing',
      'shared/base/all.ts: a barrel; import from the file that defines the thing',
    ]);
  });

  test('import zod in one form only', () => {
    const texts = [
      "import * as z from 'zod/mini';",
      "import { z } from 'zod/mini';",
      "import { z } from 'zod';",
      "import type * as core from 'zod/v4/core';",
    ];
    const sources = texts.map((text, index) => parseSource(`shared/base/${index}.ts`, text));
    expect(checkZodImports(sources)).toEqual(
      [1, 2, 3].map((index) => `shared/base/${index}.ts:1: only "import * as z from 'zod/mini'" is allowed`),
    );
  });

  test('that do not parse are reported', () => {
    expect(checkSyntax([parseSource('shared/base/a.ts', 'const = 1;')])).toHaveLength(1);
  });
});

describe('doc comments', () => {
  const failuresOf = (text: string, path = 'shared/base/a.ts') => checkDocComments([parseSource(path, text)]);
  const missing = (line: number, name: string) =>
    `shared/base/a.ts:${line}: ${name} is exported without a sentence on what it promises`;

  test.each([
    ['export const a = 1;', 1, 'a'],
    ['// not a doc comment\nexport function a() {}', 2, 'a'],
    ['/** Of b. */\nconst b = 1;\nexport type A = string;', 3, 'A'],
    ['/** */\nexport interface A {}', 2, 'A'],
    ['/** A. */\nexport const aSchema = z.string();\nexport type B = z.infer<typeof bSchema>;', 3, 'B'],
    ['/** A. */\nexport const aSchema = z.string();\nexport type A = string;', 3, 'A'],
  ])('are missing in %j', (text, line, name) => {
    expect(failuresOf(text)).toEqual([missing(line, name)]);
  });

  test('are not asked of re-exports, types of the schema right above, local names, tests and the window', () => {
    const documented = `export { b } from './b.ts';
      const c = 1;
      /** A. */
      export const aSchema = z.string();
      export type A = z.infer<typeof aSchema>;
      /**
       * D.
       */
      export async function d() {}`;
    expect([
      failuresOf(documented),
      failuresOf('export const a = 1;', 'test/a.ts'),
      failuresOf('export const a = 1;', 'renderer/a.ts'),
    ]).toEqual([[], [], []]);
  });
});

test('process folders and stages without a README are listed', () => {
  const root = mkdtempSync(join(tmpdir(), 'kairos-readmes-'));
  try {
    for (const folder of ['shared/base', 'electron/cli', 'electron/daemon/events']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    writeFileSync(join(root, 'electron/cli/README.md'), '# CLI');
    expect(checkReadmes(root)).toEqual([
      'shared: README.md is missing',
      'electron/daemon: README.md is missing',
      'electron/daemon/events: README.md is missing',
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
