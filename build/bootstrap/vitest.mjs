import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromRoot, root } from '../paths.mjs';
import { run } from './spawn.mjs';
import { exitCodeOf } from './summary.mjs';

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // The runner ended before it could report.
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

// Above the longest time-outs of the projects in vitest.config.ts (a hook and a test), so that those speak first.
function stuckAfterMs(args) {
  return args.includes('crash-long') ? 20 * 60_000 : 3 * 60_000;
}

/** Runs vitest with these arguments on this Node; resolves to `{ counts, code }`, where code is the exit code to end with. */
export async function runVitest(args, reporter = 'default') {
  const folder = mkdtempSync(join(tmpdir(), 'kairos-tests-'));
  const file = join(folder, 'summary.json');
  try {
    const reporters = [
      '--reporter',
      reporter,
      '--reporter',
      fromRoot('build', 'bootstrap', 'run-reporter.mjs'),
    ];
    const command = [fromRoot('node_modules', 'vitest', 'vitest.mjs'), 'run', ...reporters, ...args];
    const env = {
      ...process.env,
      KAIROS_TEST_SUMMARY: file,
      KAIROS_TEST_STUCK_MS: String(stuckAfterMs(args)),
    };
    const { code } = await run(process.execPath, command, {
      cwd: root,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const counts = readCounts(file);
    return { counts, code: exitCodeOf(counts, code) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
