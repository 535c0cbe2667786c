import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decideRuntime } from '../../build/bin/runtime.mjs';
import { isInstalled, linkProblem } from '../../build/bootstrap/dependencies.mjs';
import { findTestWorkers, makeStuckGuard } from '../../build/bootstrap/stuck-guard.mjs';
import { countTests, exitCodeOf, summaryLine } from '../../build/bootstrap/summary.mjs';
import { hasCommand } from '../../build/bootstrap/system-packages.mjs';

describe('the Node an entry runs on', () => {
  const bundledNode = '/there/node';

  test.each(['22.12.0', '22.20.1', '24.0.0'])('stays when it is %s', (version) => {
    expect(decideRuntime({ version, bundledNode, alreadyTried: false })).toEqual({ do: 'stay' });
  });

  test.each(['18.20.4', '20.20.2', '22.11.9'])('is replaced when it is %s', (version) => {
    const decision = decideRuntime({ version, bundledNode, alreadyTried: false });
    expect(decision).toEqual({ do: 'execute', node: bundledNode });
  });

  test('is explained when there is no newer one, or the newer one turned out to be old too', () => {
    const decisions = [
      decideRuntime({ version: '20.20.2', bundledNode: undefined, alreadyTried: false }),
      decideRuntime({ version: '20.20.2', bundledNode, alreadyTried: true }),
    ];
    for (const decision of decisions) {
      expect(decision).toEqual({ do: 'explain', text: expect.stringMatching(/22\.12.*20\.20\.2.*npm ci/) });
    }
  });
});

describe('installed packages', () => {
  const wanted = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0', optional: true },
    },
  };
  const installed = (packages: Record<string, { version: string }>) => isInstalled(wanted, { packages });

  test('match when only optional ones are absent', () => {
    expect(installed({ 'node_modules/a': { version: '1.0.0' } })).toBe(true);
  });

  test('do not match when one is absent, of another version, or surplus', () => {
    expect([
      installed({ 'node_modules/b': { version: '2.0.0' } }),
      installed({ 'node_modules/a': { version: '1.0.1' } }),
      installed({ 'node_modules/a': { version: '1.0.0' }, 'node_modules/c': { version: '1.0.0' } }),
    ]).toEqual([false, false, false]);
  });
});

test('a command is found on any folder of the search path, under any of its names', () => {
  const exists = (path: unknown) => path === '/usr/bin/chromium-browser';
  const commands = ['chromium', 'chromium-browser'];
  expect([hasCommand(commands, '/bin:/usr/bin', exists), hasCommand(commands, '/bin', exists)]).toEqual([
    true,
    false,
  ]);
});

describe('the summary of a test run', () => {
  function testModule(states: string[], moduleErrors = 0, suiteErrors = 0) {
    const errors = (count: number) => () => Array.from({ length: count }, () => ({}));
    return {
      errors: errors(moduleErrors),
      children: {
        allTests: () => states.map((state) => ({ result: () => ({ state }) })),
        allSuites: () => (suiteErrors > 0 ? [{ errors: errors(suiteErrors) }] : []),
      },
    };
  }

  test('counts files that do not load, broken suites and stray errors as failures', () => {
    const modules = [
      testModule(['passed', 'failed', 'skipped', 'pending']),
      testModule([], 1),
      testModule([], 0, 1),
    ];
    expect(countTests(modules, [{}])).toEqual({ passed: 1, failed: 4, skipped: 2 });
  });

  test('is one line', () => {
    expect(summaryLine({ passed: 12, failed: 0, skipped: 3 })).toBe('12 passed, 0 failed, 3 skipped');
  });

  test('ends with 0 only when something passed, nothing failed and the runner agrees', () => {
    const passed = { passed: 1, failed: 0, skipped: 0 };
    expect([
      exitCodeOf(passed, 0),
      exitCodeOf(passed, 1),
      exitCodeOf(passed, null),
      exitCodeOf({ ...passed, failed: 1 }, 0),
      exitCodeOf({ ...passed, passed: 0 }, 0),
    ]).toEqual([0, 1, 1, 1, 1]);
  });
});

describe('the guard against tests that hang', () => {
  test('speaks up once per limit, and only while a file runs in silence', () => {
    let time = 0;
    const stuck: string[][] = [];
    const guard = makeStuckGuard({
      limitMs: 10,
      now: () => time,
      onStuck: (files: string[]) => stuck.push(files),
    });
    const at = (instant: number, act: () => void) => {
      time = instant;
      act();
      guard.check();
    };
    at(50, () => undefined);
    at(51, () => guard.started('a'));
    at(60, () => guard.started('b'));
    at(69, () => guard.alive());
    at(78, () => guard.ended('b'));
    at(88, () => undefined);
    at(97, () => undefined);
    at(98, () => undefined);
    at(120, () => guard.ended('a'));
    at(200, () => undefined);
    expect(stuck).toEqual([['a'], ['a']]);
  });

  test("finds the process that runs this test among its parent's children", () => {
    expect(findTestWorkers(process.ppid)).toContain(process.pid);
  });
});

describe('packages are installed', () => {
  test('never through a link: npm would empty the folder it leads to', () => {
    const root = mkdtempSync(join(tmpdir(), 'kairos-link-'));
    try {
      mkdirSync(join(root, 'real'));
      symlinkSync(join(root, 'real'), join(root, 'linked'));
      const problems = ['real', 'linked', 'absent'].map((name) => linkProblem(join(root, name)));
      expect(problems).toEqual([null, expect.stringContaining('is a link'), null]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
