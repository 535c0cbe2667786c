import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../electron/node/clock.ts';
import { descendantsOf } from '../../../electron/node/process-info.ts';
import { signalGroup, signalProcess } from '../../../electron/node/process-group.ts';
import { systemProcesses } from '../../../electron/node/process-table.ts';
import { waitForExit } from '../../../electron/node/wait-for-exit.ts';

/** A new empty directory that is gone after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kairos-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Path of a fixture of the test folder that `importMetaUrl` is in. */
export function fixture(importMetaUrl: string, name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, importMetaUrl));
}

/** Kills the process, and the group if it leads one, after the test, whatever happened. */
export function killAfterTest(pid: number): void {
  onTestFinished(() => {
    signalGroup(pid, 'SIGKILL');
    signalProcess(pid, 'SIGKILL');
  });
}

/** Starts a plain process for a test; it leads its own group, which is killed after the test. */
export function start(
  command: string,
  args: readonly string[],
  options: { env?: Record<string, string | undefined> } = {},
): ChildProcess & { readonly pid: number } {
  const { env = process.env } = options;
  const child = spawn(command, [...args], { env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  if (child.pid === undefined) throw new Error(`${command} did not start`);
  killAfterTest(child.pid);
  return child as ChildProcess & { readonly pid: number };
}

/** The first line that a process prints. */
export async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.slice(0, text.indexOf('\n'));
}

/** True when the process is gone within `ms`. */
export function goneWithin(pid: number, ms: number): Promise<boolean> {
  return waitForExit({ pid }, ms, systemClock);
}

/** True when every process is gone within `ms`. */
export async function allGoneWithin(pids: readonly number[], ms: number): Promise<boolean> {
  const answers = await Promise.all(pids.map((pid) => goneWithin(pid, ms)));
  return answers.every(Boolean);
}

/** Pids of everything below a process now. */
export async function below(pid: number): Promise<number[]> {
  return descendantsOf(pid, await systemProcesses.list())
    .filter((info) => !info.zombie)
    .map((info) => info.pid);
}

/** Looks again until `look` answers something; for states of other processes that announce nothing. */
export async function eventually<Value>(
  look: () => Promise<Value | undefined> | Value | undefined,
): Promise<Value> {
  const deadline = systemClock.monotonic() + 4_000;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (systemClock.monotonic() > deadline) throw new Error('did not happen within 4 s');
    await new Promise<void>((resolve) => systemClock.after(10, resolve));
  }
}
