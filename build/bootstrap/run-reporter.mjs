import { writeFileSync } from 'node:fs';
import { findTestWorkers, makeStuckGuard } from './stuck-guard.mjs';
import { countTests } from './summary.mjs';

const checkEveryMs = 5000;

function endWorkers(files) {
  process.stderr.write(`kairos: nothing happened for too long, ending the tests of ${files.join(', ')}\n`);
  for (const pid of findTestWorkers(process.pid)) process.kill(pid, 'SIGKILL');
}

// Vitest loads a reporter by path and takes its default export: one of the few places where there must be one.
/**
 * Writes the counts of a run to the file named by KAIROS_TEST_SUMMARY, and ends test processes that hang
 * for KAIROS_TEST_STUCK_MS; vitest then counts their files as failed and goes on.
 */
export default class RunReporter {
  guard = makeStuckGuard({
    limitMs: Number(process.env.KAIROS_TEST_STUCK_MS),
    now: () => performance.now(),
    onStuck: endWorkers,
  });
  timer = setInterval(() => this.guard.check(), checkEveryMs).unref();

  onTestModuleQueued(testModule) {
    this.guard.started(testModule.moduleId);
  }

  onTestModuleEnd(testModule) {
    this.guard.ended(testModule.moduleId);
  }

  onTestCaseResult() {
    this.guard.alive();
  }

  onTestRunEnd(testModules, unhandledErrors) {
    clearInterval(this.timer);
    writeFileSync(process.env.KAIROS_TEST_SUMMARY, JSON.stringify(countTests(testModules, unhandledErrors)));
  }
}
