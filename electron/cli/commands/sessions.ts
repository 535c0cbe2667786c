import { type SessionView, statusSchema } from '../../../shared/protocol/bridge.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { sessionsAnswerSchema } from '../bridge/answers.ts';
import { get } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import { painter } from '../output/paint.ts';
import { printJson, printText } from '../output/print.ts';
import { type ListedSession, sessionFacts, sessionTable } from '../output/session-text.ts';

function list(context: CliContext, archived: boolean): Promise<readonly SessionView[]> {
  return get(context, `/sessions${archived ? '?archived=true' : ''}`, sessionsAnswerSchema);
}

/** The sessions a person made; with `all` also the internal and the archived ones. */
async function listed(context: CliContext, all: boolean): Promise<ListedSession[]> {
  const [live, archived] = await Promise.all([list(context, false), all ? list(context, true) : []]);
  const shown = live.filter(({ kind }) => all || kind !== 'daemon-worker');
  return [
    ...shown.map((session) => ({ ...session, archived: false })),
    ...archived.map((session) => ({ ...session, archived: true })),
  ];
}

/** `kairos sessions`: what asks first, then what stopped, what works, and the rest by activity. */
export const run: RunCommand = async (context, args) => {
  if (args.flag('json')) {
    const sessions = await listed(context, args.flag('all'));
    const facts = sessions.map((session) => ({ ...sessionFacts(session), archived: session.archived }));
    return printJson(context, facts);
  }
  const [sessions, { paused }] = await Promise.all([
    listed(context, args.flag('all')),
    get(context, '/status', statusSchema),
  ]);
  const paint = painter(context.stdout, context.env);
  if (paused)
    await printText(context, paint('asking', `Everything is paused. End it with: ${context.program} resume`));
  if (sessions.length === 0) {
    return printText(context, `No sessions yet. Give Kairos a job: ${context.program} send "help"`);
  }
  return printText(context, sessionTable(sessions, context.clock.now(), paint, context.stdout.columns));
};
