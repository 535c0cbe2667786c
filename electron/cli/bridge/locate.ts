import { assertNever } from '../../../shared/base/assert-never.ts';
import { type DaemonFile, daemonFileSchema } from '../../../shared/protocol/bridge.ts';
import { splitReason } from '../../../shared/protocol/safe-mode.ts';
import { type SupervisorState, supervisorStateSchema } from '../../../shared/protocol/supervisor-link.ts';
import { FileError } from '../../node/atomic-file.ts';
import type { Home } from '../../node/home.ts';
import { readJsonFile } from '../../node/json-file.ts';
import { isAlive } from '../../node/process-table.ts';
import { CommandFailure, noDaemon, restartIt } from '../failure.ts';
import { exit } from '../exit.ts';

/** What the files of a home say about its daemon, checked against the processes that run. */
export type Located =
  /** Its process lives; whether it answers is another matter. */
  | { readonly kind: 'running'; readonly daemon: DaemonFile }
  /** A supervisor lives and its daemon does not (yet, or again). */
  | { readonly kind: 'starting'; readonly supervisor: SupervisorState }
  /** Nothing lives; `why` says what was found instead, when anything was. */
  | { readonly kind: 'absent'; readonly why: string | undefined }
  /** `daemon.json` cannot be used although a supervisor lives. */
  | { readonly kind: 'damaged'; readonly problem: FileError; readonly supervisor: SupervisorState };

async function readDaemonFile(home: Home): Promise<DaemonFile | FileError> {
  try {
    return await readJsonFile(home.daemonFile, daemonFileSchema);
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
}

/** The supervisor that `supervisor.json` names, if its process lives. */
export async function liveSupervisor(home: Home): Promise<SupervisorState | undefined> {
  try {
    const state = await readJsonFile(home.supervisorFile, supervisorStateSchema);
    return (await isAlive(state.pid, state.startTime)) ? state : undefined;
  } catch (error) {
    // The file is information only: a missing or damaged one says nothing about the daemon.
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** Looks for the daemon of a home. Reads two files and asks the system about the processes; no connection is made. */
export async function locateDaemon(home: Home): Promise<Located> {
  const file = await readDaemonFile(home);
  if (!(file instanceof FileError) && (await isAlive(file.pid, file.startTime))) {
    return { kind: 'running', daemon: file };
  }
  const supervisor = await liveSupervisor(home);
  if (supervisor === undefined) return { kind: 'absent', why: whyAbsent(file) };
  const unusable = file instanceof FileError && file.code !== 'file-missing';
  return unusable ? { kind: 'damaged', problem: file, supervisor } : { kind: 'starting', supervisor };
}

function whyAbsent(file: DaemonFile | FileError): string | undefined {
  // A file that a killed daemon left behind is nothing to worry a person with.
  if (!(file instanceof FileError) || file.code === 'file-missing') return undefined;
  return file.message.replace(/\.$/, '');
}

/** The failure for a command that needs a daemon and found this instead. */
export function unreachable(located: Exclude<Located, { kind: 'running' }>): CommandFailure {
  switch (located.kind) {
    case 'absent':
      return noDaemon(located.why);
    case 'starting': {
      const { state, lastFailure, pid } = located.supervisor;
      const failed = lastFailure === null ? null : splitReason(lastFailure.reason);
      const reason = failed === null ? '' : ` Its last start failed: ${failed.why}`;
      const message = `Kairos is not up yet (supervisor ${pid} says: ${state}).${reason}`;
      return new CommandFailure(exit.noDaemon, message, failed?.next ?? 'Look with: kairos daemon logs');
    }
    case 'damaged':
      return new CommandFailure(
        exit.failed,
        `Kairos runs, but it cannot be reached: ${located.problem.message}`,
        restartIt,
        located.problem,
      );
    default:
      return assertNever(located, 'state of the home');
  }
}
