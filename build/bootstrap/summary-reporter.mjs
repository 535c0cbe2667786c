import { writeFileSync } from 'node:fs';
import { countTests } from './summary.mjs';

// Vitest loads a reporter by path and takes its default export: one of the few places where there must be one.
/** Writes the counts of a run to the file named by KAIROS_TEST_SUMMARY. */
export default class SummaryReporter {
  onTestRunEnd(testModules, unhandledErrors) {
    writeFileSync(process.env.KAIROS_TEST_SUMMARY, JSON.stringify(countTests(testModules, unhandledErrors)));
  }
}
