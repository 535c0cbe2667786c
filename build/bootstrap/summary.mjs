/** The last line of a test run. */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * The exit code of a run: 0 only when at least one test passed and nothing failed.
 * `runnerCode` is the test runner's own exit code (null when it died by a signal).
 */
export function exitCodeOf({ passed, failed }, runnerCode) {
  if (failed > 0 || passed === 0) return 1;
  return runnerCode === 0 ? 0 : 1;
}

function isBrokenFile(testModule) {
  return testModule.errors().length > 0;
}

/**
 * Counts vitest's finished test modules. A file that could not be loaded, and an error outside every test, count as one failure each:
 * otherwise a run could end with "0 failed" and yet be broken.
 */
export function countTests(testModules, unhandledErrors) {
  const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
  for (const testModule of testModules) {
    if (isBrokenFile(testModule)) counts.failed += 1;
    for (const test of testModule.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') counts.passed += 1;
      else if (state === 'failed') counts.failed += 1;
      else counts.skipped += 1;
    }
    for (const suite of testModule.children.allSuites()) counts.failed += suite.errors().length > 0 ? 1 : 0;
  }
  return counts;
}
