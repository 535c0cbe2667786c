import type { RunCommand } from '../arguments/command-spec.ts';
import { anyAnswerSchema } from '../bridge/answers.ts';
import { post } from '../bridge/client.ts';
import { printJson, printText } from '../output/print.ts';

/** `kairos token rotate`: the owner token changes at once; programs of this user read the new one from the home. */
export const run: RunCommand = async (context, args) => {
  await post(context, '/token/rotate', {}, anyAnswerSchema);
  if (args.flag('json')) return printJson(context, { rotated: true });
  return printText(context, 'The owner token is new; windows that were open sign in again.');
};
