import type { RunCommand } from '../arguments/command-spec.ts';
import { printJson, printText } from '../output/print.ts';
import { stopDaemon } from '../process/stop-daemon.ts';

/** `kairos daemon stop`: returns when the daemon and its supervisor are gone. */
export const run: RunCommand = async (context, args) => {
  const { daemon, supervisor } = await stopDaemon(context);
  if (args.flag('json')) {
    return printJson(context, {
      stopped: true,
      pid: daemon?.pid ?? null,
      supervisorPid: supervisor?.pid ?? null,
    });
  }
  return printText(context, 'Kairos has stopped. Sessions, messages and open approvals are kept.');
};
