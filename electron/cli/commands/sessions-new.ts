import type { RunCommand } from '../arguments/command-spec.ts';
import { namedModel } from '../named-model.ts';
import { sessionViewSchema } from '../../../shared/protocol/bridge.ts';
import { sessionNamePattern } from '../../../shared/domain/sessions.ts';
import { post } from '../bridge/client.ts';
import { existingDirectory } from '../directory.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { modeChangeText } from '../output/mode-text.ts';
import { printJson, printText } from '../output/print.ts';
import { sessionFacts } from '../output/session-text.ts';
import { sessionWishes } from '../send/session-wishes.ts';

/** `kairos sessions new`: makes a session that waits for its first message. */
export const run: RunCommand = async (context, args) => {
  const body = {
    name: args.text('name'),
    kind: args.text('kind'),
    mode: args.text('mode'),
    model: namedModel(context, args),
    ...(args.flag('brief') ? { brief: true } : {}),
    ...sessionWishes(args),
    dir: existingDirectory(context, args.text('dir') ?? '.'),
  };
  const session = await post(context, '/sessions', body, sessionViewSchema);
  if (args.flag('json')) return printJson(context, sessionFacts(session));
  const name = session.name ?? session.id;
  // What is pasted into a shell has to mean the session and nothing else.
  const pasted = sessionNamePattern.test(name) ? name : session.id;
  const talk = `Talk to it with: ${context.program} send "..." --session ${foreignLine(pasted)}`;
  const made = `Made ${foreignLine(name)} in ${foreignLine(session.dir)}. ${talk}`;
  if (session.mode === 'default') return printText(context, made);
  const change = modeChangeText(foreignLine(pasted), session.mode, context.program);
  return printText(context, `${made}\nMode ${session.mode}. ${change}`);
};
