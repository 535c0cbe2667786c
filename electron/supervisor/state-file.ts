import { readFileSync } from 'node:fs';
import { type SupervisorState, supervisorStateSchema } from '../../shared/protocol/supervisor-link.ts';
import { isAlive } from '../node/process-table.ts';
import { whatInsteadOfFile } from '../node/regular-file.ts';
import { replaceFileSync } from '../node/replace-file.ts';
import type { StateChange } from './supervise.ts';

/** `supervisor.json`, kept by one supervisor. */
export interface StateFile {
  /** Notes a change at once; a problem with the disk is told to `onProblem` and otherwise ignored. */
  report(change: StateChange): void;
}

function readState(path: string): SupervisorState | undefined {
  if (whatInsteadOfFile(path) !== undefined) return undefined;
  try {
    const answer = supervisorStateSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return answer.success ? answer.data : undefined;
  } catch {
    // Absent or damaged: nobody stands in it, and it is written anew.
    return undefined;
  }
}

async function belongsToAnother(path: string, own: SupervisorState): Promise<boolean> {
  const state = readState(path);
  if (state === undefined || state.pid === own.pid) return false;
  return isAlive(state.pid, state.startTime);
}

/**
 * Opens the file for the supervisor described by `initial`. While another one that is alive stands in it, nothing is written
 * until our daemon is ready: only then the home is ours.
 */
export async function openStateFile(
  path: string,
  initial: SupervisorState,
  onProblem: (error: unknown) => void,
): Promise<StateFile> {
  let state = initial;
  let ours = !(await belongsToAnother(path, initial));
  return {
    report(change) {
      state = { ...state, ...change };
      ours ||= state.state === 'running' || state.state === 'safe';
      if (!ours) return;
      try {
        replaceFileSync(path, `${JSON.stringify(state, null, 2)}\n`);
      } catch (error) {
        onProblem(error);
      }
    },
  };
}
