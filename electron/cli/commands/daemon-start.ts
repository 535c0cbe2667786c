import type { DaemonFile } from '../../../shared/protocol/bridge.ts';
import type { Arguments, RunCommand } from '../arguments/command-spec.ts';
import { versionNote } from '../bridge/version-note.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { hint } from '../output/own-name.ts';
import { notice, printJson, printText } from '../output/print.ts';
import { safeFacts, safeModeNote, startDetached } from '../process/start-detached.ts';

/** Prints a daemon that is ready, the same after a start as after finding it running. */
async function printReady(
  context: CliContext,
  args: Arguments,
  daemon: DaemonFile,
  words: string,
): Promise<ExitCode> {
  for (const note of [
    safeModeNote(daemon, context.program),
    versionNote(context.version(), daemon.version),
  ]) {
    if (note !== undefined) await notice(context, hint(context.program, note));
  }
  const { pid, url, version } = daemon;
  if (args.flag('json'))
    return printJson(context, { pid, url, version, ...safeFacts(daemon, context.program) });
  return printText(
    context,
    `${words} (process ${pid}, ${foreignLine(url)}). Its window: ${context.program} open`,
  );
}

/** Moves the store aside and says where it is kept. */
async function beginEmpty(context: CliContext): Promise<void> {
  const { setStoreAside } = await import('../process/store-aside.ts');
  const kept = await setStoreAside(context);
  if (kept.length > 0) await notice(context, `Kept: ${kept.map((path) => foreignLine(path)).join(', ')}`);
}

/** `kairos daemon start`: in the background; attaches to one that runs. */
export const run: RunCommand = async (context, args) => {
  if (args.flag('fresh')) await beginEmpty(context);
  const { daemon, attached } = await startDetached(context);
  return printReady(context, args, daemon, attached ? 'Kairos was already running' : 'Kairos is running');
};

/** `kairos daemon restart`: stops what runs, then starts. */
export const restart: RunCommand = async (context, args) => {
  const { homeProcesses } = await import('../process/home-processes.ts');
  const { daemon, supervisor } = await homeProcesses(context.home);
  if (daemon !== undefined || supervisor !== undefined) {
    const { stopDaemon } = await import('../process/stop-daemon.ts');
    await stopDaemon(context);
  }
  return printReady(context, args, (await startDetached(context)).daemon, 'Kairos has been restarted');
};
