import { resolve } from 'node:path';
import type { RunCommand } from '../arguments/command-spec.ts';
import { exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { printJson, printText } from '../output/print.ts';
import { acquireExclusiveLock } from '../../node/exclusive-lock.ts';
import { openHome } from '../../node/home.ts';
import { restoreBackup } from '../process/restore-backup.ts';

/** `kairos restore FOLDER`: only while nothing runs on this home; takes its lock meanwhile. */
export const run: RunCommand = async (context, args) => {
  const home = openHome(context.env);
  const lock = acquireExclusiveLock(home.lockDb, home.daemonFile);
  if (lock.kind === 'busy') {
    const who = lock.holder === undefined ? '' : ` (process ${lock.holder.pid})`;
    const message = `Kairos is running on "${home.home}"${who}; nothing was changed.`;
    throw new CommandFailure(exit.failed, message, 'Stop it first with: kairos daemon stop');
  }
  try {
    const from = resolve(context.cwd, args.required(0));
    const restored = restoreBackup(home, { from, replace: args.flag('replace'), now: context.clock.now() });
    if (args.flag('json')) return await printJson(context, restored);
    const kept = restored.kept.length === 0 ? '' : ` Kept: ${restored.kept.map(foreignLine).join(', ')}.`;
    return await printText(
      context,
      `Restored from ${foreignLine(from)}.${kept} Start it with: ${context.program} daemon start`,
    );
  } finally {
    lock.release();
  }
};
