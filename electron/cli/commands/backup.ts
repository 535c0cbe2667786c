import { resolve } from 'node:path';
import { backupAnswerSchema } from '../../../shared/protocol/bridge.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { ask } from '../bridge/client.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { typed } from '../output/own-name.ts';
import { notice, printJson, printText } from '../output/print.ts';

/** A store of many gigabytes takes minutes; the daemon gives up by itself before that, ms. */
const doneWithinMs = 20 * 60_000;

/** `kairos backup FOLDER`: a folder with everything that is stored now; Kairos goes on meanwhile. */
export const run: RunCommand = async (context, args) => {
  const body = { to: resolve(context.cwd, args.required(0)) };
  const request = { method: 'POST', path: '/backup', body, repeatable: false } as const;
  const limits = { until: context.clock.monotonic() + doneWithinMs };
  const { value } = await ask(context, request, backupAnswerSchema, limits);
  if (value.missing.length > 0)
    await notice(
      context,
      `${value.missing.length} stored files were missing already. Look with: ${context.program} doctor`,
    );
  if (args.flag('json')) return printJson(context, value);
  const size = (value.bytes / 1024 / 1024).toFixed(1);
  return printText(
    context,
    `Backup made in ${foreignLine(value.to)} (${size} MB). Back again with: ${context.program} restore ${foreignLine(typed(value.to))}`,
  );
};
