import type { RunCommand } from '../arguments/command-spec.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { printJson, printText } from '../output/print.ts';
import { openInBrowser, windowAddress } from '../process/window-address.ts';

/** `kairos open`: the window's address with a fresh one-time ticket; opened where there is a desktop. */
export const run: RunCommand = async (context, args) => {
  const { daemon, address } = await windowAddress(context);
  if (args.flag('json')) return printJson(context, { address });
  if (!args.flag('no-open') && (await openInBrowser(context, address))) {
    return printText(context, `Opened ${foreignLine(daemon.url)} in your browser.`);
  }
  await printText(context, foreignLine(address));
  return printText(context, `The link works once, within 30 seconds; a new one: ${context.program} open`);
};
