import { describe, expect, test } from 'vitest';
import { checkCycles } from '../../build/check/cycles.mjs';
import { checkImports } from '../../build/check/import-rules.mjs';
import { parseSource } from '../../build/check/sources.mjs';

function sources(files: Record<string, string>) {
  return Object.entries(files).map(([path, text]) => parseSource(path, text));
}

const forbidden = [
  [
    'shared/base/a.ts',
    "import { b } from '../domain/b.ts';",
    'shared/base may not import shared/domain/b.ts',
  ],
  ['shared/domain/a.ts', "import { b } from 'node:fs';", 'shared/domain may not import the package node:fs'],
  ['shared/session/a.ts', "import * as z from 'zod';", 'shared/session may not import the package zod'],
  [
    'electron/cli/a.ts',
    "import { b } from '../daemon/b.ts';",
    'electron/cli may not import electron/daemon/b.ts',
  ],
  [
    'electron/worker/agent/a.ts',
    "import type { B } from '../model/b.ts';",
    'electron/worker/agent may not import electron/worker/model/b.ts',
  ],
  [
    'electron/worker/agent/a.ts',
    "import { b } from 'node:path';",
    'electron/worker/agent may not import the package node:path',
  ],
  [
    'electron/daemon/prompts/a.ts',
    "export { b } from '../effects/b.ts';",
    'electron/daemon/prompts may not import electron/daemon/effects/b.ts',
  ],
  [
    'electron/daemon/events/a.ts',
    "type B = import('../prompts/b.ts').B;",
    'electron/daemon/events may not import electron/daemon/prompts/b.ts',
  ],
  [
    'electron/daemon/settings.ts',
    "const b = await import('./inbound/b.ts');",
    'electron/daemon may not import electron/daemon/inbound/b.ts',
  ],
  [
    'electron/daemon/main.ts',
    "import { app } from 'electron';",
    'electron/daemon may not import the package electron',
  ],
  [
    'renderer/main.tsx',
    "import { b } from '../electron/node/b.ts';",
    'renderer may not import electron/node/b.ts',
  ],
  ['renderer/main.tsx', "import { b } from 'node:fs';", 'renderer may not import the package node:fs'],
] as const;

describe('the import table', () => {
  test.each(forbidden)('in %s forbids %s', (path, text, sentence) => {
    expect(checkImports(sources({ [path]: text }))).toEqual([`${path}:1: ${sentence}`]);
  });

  test('allows what points towards events, shared and node', () => {
    const files = {
      'shared/domain/a.ts': "import * as z from 'zod/mini'; import { b } from '../base/b.ts';",
      'electron/daemon/main.ts': "import { b } from './prompts/b.ts'; import { c } from './effects/c.ts';",
      'electron/daemon/compose-viewers.ts': "import { b } from './viewers/b.ts';",
      'electron/daemon/prompts/a.ts':
        "import { b } from '../events/b.ts'; import { c } from './surfaces/c.ts';",
      'electron/worker/main.ts': "import { b } from './agent/b.ts'; import { c } from 'node:fs';",
      'electron/worker/agent/a.ts':
        "import { b } from '../../../shared/domain/b.ts'; import { c } from './c.ts';",
      'electron/main/a.ts': "import { app } from 'electron'; import { b } from '../node/b.ts';",
      'test/daemon/a.test.ts': "import { b } from '../../electron/daemon/prompts/b.ts';",
    };
    expect(checkImports(sources(files))).toEqual([]);
  });

  test('asks for a row when a new stage or process appears', () => {
    const files = { 'electron/daemon/gossip/a.ts': '', 'electron/oracle/main.ts': '' };
    expect(checkImports(sources(files))).toEqual([
      'electron/daemon/gossip/a.ts: no row in build/check/import-table.mjs covers this file',
      'electron/oracle/main.ts: no row in build/check/import-table.mjs covers this file',
    ]);
  });
});

describe('import cycles', () => {
  test('count imports that only bring types', () => {
    const files = {
      'shared/base/a.ts': "import { b } from './b.ts';",
      'shared/base/b.ts': "import type { C } from './c.ts';",
      'shared/base/c.ts': "import type { A } from './a.ts';",
      'shared/base/d.ts': "import { a } from './a.ts';",
    };
    expect(checkCycles(sources(files))).toEqual([
      'import cycle: shared/base/a.ts -> shared/base/b.ts -> shared/base/c.ts -> shared/base/a.ts',
    ]);
  });

  test('are not two ways to the same file', () => {
    const files = {
      'shared/base/a.ts': "import { b } from './b.ts'; import { c } from './c.ts';",
      'shared/base/b.ts': "import { c } from './c.ts';",
      'shared/base/c.ts': '',
    };
    expect(checkCycles(sources(files))).toEqual([]);
  });
});
