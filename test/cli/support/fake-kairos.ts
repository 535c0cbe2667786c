import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Clock } from '../../../shared/base/ports.ts';
import { isAlive } from '../../../electron/node/process-table.ts';
import { type Harness, type Ran, createHarness } from './cli-harness.ts';

/** A home and a folder of programs whose supervisor is the scripted one. */
export interface FakeKairos {
  readonly harness: Harness;
  readonly programs: string;
  /** Processes to end whatever a test does. */
  readonly started: number[];
  run(line: string): Promise<Ran>;
  /** The process of the scripted supervisor, once it has written itself down. */
  findPid(): Promise<number>;
  dispose(): Promise<void>;
}

/** Makes a home for commands that start the scripted supervisor (`FAKE_MODE` in `harness.env`). */
export function createFakeKairos(clock?: Clock): FakeKairos {
  const harness = createHarness(clock);
  const programs = mkdtempSync(join(tmpdir(), 'kairos-programs-'));
  const scripted = new URL('../fixtures/fake-supervisor.mjs', import.meta.url);
  writeFileSync(join(programs, 'supervisor.js'), `import ${JSON.stringify(scripted.href)};\n`);
  const started: number[] = [];
  const writtenPid = (): number => {
    try {
      return (JSON.parse(readFileSync(harness.home.daemonFile, 'utf8')) as { pid: number }).pid;
    } catch {
      return 0;
    }
  };
  return {
    harness,
    programs,
    started,
    run: (line) => harness.run(line.split(' '), { programs }),
    async findPid() {
      await expect.poll(writtenPid, { timeout: 10_000 }).toBeGreaterThan(0);
      return writtenPid();
    },
    async dispose() {
      for (const pid of started.splice(0)) if (await isAlive(pid)) process.kill(pid, 'SIGKILL');
      harness.dispose();
      rmSync(programs, { recursive: true, force: true });
    },
  };
}
