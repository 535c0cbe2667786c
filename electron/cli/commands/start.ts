import { daemonExit } from '../../../shared/protocol/supervisor-link.ts';
import { openHome } from '../../node/home.ts';
import type { Arguments, RunCommand } from '../arguments/command-spec.ts';
import type { CliContext } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { painter } from '../output/paint.ts';
import { notice, printJson, printText } from '../output/print.ts';
import { awaitReady } from '../process/await-ready.ts';
import { findRunning } from '../process/find-running.ts';
import { type Foreground, startForeground } from '../process/foreground.ts';
import { endedFailure, safeFacts, safeModeNote } from '../process/start-detached.ts';
import { openInBrowser, windowAddress } from '../process/window-address.ts';

async function greet(context: CliContext, args: Arguments, closing: string): Promise<void> {
  const { daemon, address } = await windowAddress(context);
  const note = safeModeNote(daemon, context.program);
  if (note !== undefined) await notice(context, note);
  if (args.flag('json')) {
    const { pid, url, version } = daemon;
    await printJson(context, { pid, url, version, address, ...safeFacts(daemon, context.program) });
    return;
  }
  const paint = painter(context.stdout, context.env);
  const kairos = context.program;
  const opened = !args.flag('no-open') && (await openInBrowser(context, address));
  const shown = opened ? daemon.url : address;
  const lines = [
    `${paint('strong', 'Kairos is running.')} Its window: ${foreignLine(shown)}`,
    paint(
      'muted',
      opened
        ? '  Opened in your browser.'
        : `  The link works once, within 30 seconds; a new one: ${kairos} open`,
    ),
    '',
    'Try it in another terminal:',
    `  ${kairos} send "help" --wait`,
    `  ${kairos} send "run echo hello > proof.txt" --wait`,
    '',
    paint('muted', foreignLine(closing)),
  ];
  await printText(context, lines.join('\n'));
}

/** Waits until ready, then greets; gives what went wrong instead of throwing it. */
async function welcome(context: CliContext, args: Arguments, foreground: Foreground): Promise<unknown> {
  try {
    await awaitReady(context, foreground.ended);
    await greet(context, args, `Ctrl+C stops it. Its state is in ${context.home.home}`);
    return undefined;
  } catch (error) {
    return error;
  }
}

function isNoDaemon(error: unknown): boolean {
  return error instanceof CommandFailure && error.exit === exit.noDaemon;
}

async function runHere(context: CliContext, args: Arguments): Promise<ExitCode> {
  let stopping = false;
  let over = false;
  const foreground = startForeground(context, false);
  void foreground.ended.then(() => {
    over = true;
  });
  const cancel = context.onSignal(() => {
    if (!stopping) void notice(context, 'Stopping… Sessions, messages and open approvals are kept.');
    stopping = true;
    foreground.stop();
  });
  const failure = await welcome(context, args, foreground);
  // Somebody may stop it from elsewhere at any moment: then its own end says what happened, not our failed greeting.
  const endsByItself = failure === undefined || over || isNoDaemon(failure);
  if (!endsByItself) foreground.stop();
  const { code, reason } = await foreground.ended;
  cancel();
  if (stopping || (endsByItself && code === 0)) {
    await notice(context, stopping ? 'Stopped.' : 'Kairos was stopped.');
    return exit.done;
  }
  // The race for the lock was lost, and the winner was greeted.
  if (failure === undefined && code === daemonExit.lockHeld) return exit.done;
  throw failure === undefined || isNoDaemon(failure) ? endedFailure(reason) : failure;
}

/** `kairos start`, which `npm start` runs: the daemon in this terminal, or the address of the one that runs already. */
export const run: RunCommand = async (context, args) => {
  openHome(context.env);
  const running = await findRunning(context);
  if (running === undefined) return runHere(context, args);
  await greet(
    context,
    args,
    `It was already running (process ${running.pid}). Stop it with: ${context.program} daemon stop`,
  );
  return exit.done;
};
