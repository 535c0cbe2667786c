import type { SessionView } from '../../../shared/protocol/bridge.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { sessionsAnswerSchema } from '../bridge/answers.ts';
import { get } from '../bridge/client.ts';
import { painter } from '../output/paint.ts';
import { printJson, printText } from '../output/print.ts';
import { sessionFacts, sessionTable } from '../output/session-text.ts';

function isShown(session: SessionView, all: boolean): boolean {
  return all || session.kind !== 'daemon-worker';
}

/** `kairos sessions`: what asks first, then what works, then the rest by activity. */
export const run: RunCommand = async (context, args) => {
  const all = args.flag('all');
  const answer = await get(context, `/sessions${all ? '?archived=true' : ''}`, sessionsAnswerSchema);
  const sessions = answer.filter((session) => isShown(session, all));
  if (args.flag('json')) return printJson(context, sessions.map(sessionFacts));
  if (sessions.length === 0)
    return printText(context, 'No sessions yet. Give Kairos a job: kairos send "help"');
  const paint = painter(context.stdout, context.env);
  return printText(context, sessionTable(sessions, context.clock.now(), paint, context.stdout.columns));
};
