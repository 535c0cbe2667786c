import { openHome } from '../../node/home.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { exit } from '../exit.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { findRunning } from '../process/find-running.ts';
import { startForeground } from '../process/foreground.ts';
import { endedFailure } from '../process/start-detached.ts';

function readDescriptor(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,4}$/.test(text) && Number(text) > 2) return Number(text);
  throw usageFailure(
    `--tied-to needs the number of an open pipe, not "${text.slice(0, 40)}".`,
    'For example: --tied-to=3',
  );
}

/** `kairos daemon run`: the supervisor in the foreground, ended in order by Ctrl+C, SIGTERM or the end of its owner. */
export const run: RunCommand = async (context, args) => {
  const tiedTo = readDescriptor(args.text('tied-to'));
  openHome(context.env);
  const running = await findRunning(context);
  if (running !== undefined) {
    const message = `Kairos already runs on "${context.home.home}" (process ${running.pid}, ${running.url}).`;
    throw new CommandFailure(exit.failed, message, 'Stop it first with: kairos daemon stop');
  }
  const foreground = startForeground(context, true, tiedTo);
  const cancel = context.onSignal(() => foreground.stop());
  const end = await foreground.ended;
  cancel();
  if (end.code === 0) return exit.done;
  throw endedFailure(end.reason);
};
