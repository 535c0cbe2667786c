import { permissionModeSchema } from '../../../shared/domain/sessions.ts';
import { type SessionView, sessionViewSchema } from '../../../shared/protocol/bridge.ts';
import type { Arguments, RunCommand } from '../arguments/command-spec.ts';
import { anyAnswerSchema, interruptAnswerSchema } from '../bridge/answers.ts';
import { get, post } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { modeChangeText, modeMeanings } from '../output/mode-text.ts';
import { printJson, printText } from '../output/print.ts';
import { sessionFacts } from '../output/session-text.ts';

/** What a command does to one session; `done` is the sentence for people. */
interface Act {
  readonly act: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly done: string;
}

/** Most acts answer with the session as it is then. */
function factsOf(answer: unknown): unknown {
  const session = sessionViewSchema.safeParse(answer);
  return session.success ? sessionFacts(session.data) : answer;
}

async function perform(context: CliContext, args: Arguments, path: string, act: Act): Promise<ExitCode> {
  const answer = await post(context, path, act.body, anyAnswerSchema);
  if (args.flag('json')) return printJson(context, factsOf(answer));
  return printText(context, foreignLine(act.done));
}

function onSession(describe: (session: string, args: Arguments) => Act): RunCommand {
  return (context, args) => {
    const session = args.required(0);
    const act = describe(session, args);
    return perform(context, args, `/sessions/${encodeURIComponent(session)}/${act.act}`, act);
  };
}

function onOneOrAll(act: 'pause' | 'resume', forAll: string, forOne: string): RunCommand {
  return (context, args) => {
    const session = args.positional(0);
    const path = session === undefined ? `/${act}` : `/sessions/${encodeURIComponent(session)}/${act}`;
    return perform(context, args, path, {
      act,
      done: session === undefined ? forAll : `${session}: ${forOne}`,
    });
  };
}

/** `kairos interrupt SESSION`: ends the running turn; nothing to interrupt is no failure. */
export const interrupt: RunCommand = async (context, args) => {
  const session = args.required(0);
  const path = `/sessions/${encodeURIComponent(session)}/interrupt`;
  const answer = await post(context, path, undefined, interruptAnswerSchema);
  if (args.flag('json')) return printJson(context, answer);
  return printText(
    context,
    answer.interrupted
      ? `${foreignLine(session)} was interrupted.`
      : `${foreignLine(session)} was doing nothing.`,
  );
};

/** `kairos rename SESSION NAME` */
export const rename = onSession((session, args) => ({
  act: 'rename',
  body: { name: args.required(1) },
  done: `${session} is now called ${args.required(1)}.`,
}));

/** `kairos mode SESSION [MODE]`: says what it may do unasked, or changes that. */
export const mode: RunCommand = async (context, args) => {
  const [session, typed] = [args.required(0), args.positional(1)];
  const path = `/sessions/${encodeURIComponent(session)}`;
  if (typed === undefined) return tellMode(context, args, await get(context, path, sessionViewSchema));
  const wanted = permissionModeSchema.parse(typed);
  const done = `${session} now runs in mode ${wanted}. ${modeChangeText(session, wanted, context.program)}`;
  return perform(context, args, `${path}/mode`, { act: 'mode', body: { mode: wanted }, done });
};

function tellMode(context: CliContext, args: Arguments, session: SessionView): Promise<ExitCode> {
  if (args.flag('json')) return printJson(context, sessionFacts(session));
  const [name, { mode: now }] = [foreignLine(args.required(0)), session];
  return printText(
    context,
    `${name} runs in mode ${now}: it ${modeMeanings[now]}. Change it with: ${context.program} mode ${name} MODE`,
  );
}

/** `kairos retry SESSION`: takes a stopped session up again; one that was not stopped is no failure. */
export const retry: RunCommand = async (context, args) => {
  const session = args.required(0);
  const path = `/sessions/${encodeURIComponent(session)}`;
  const { parked } = await get(context, path, sessionViewSchema);
  const done = parked === null ? `${session} was not stopped.` : `${session} goes on.`;
  return perform(context, args, `${path}/retry`, { act: 'retry', done });
};

/** `kairos sessions archive SESSION` */
export const archive = onSession((session) => ({
  act: 'archive',
  done: `${session} is archived; its log stays.`,
}));

/** `kairos pause [SESSION]` */
export const pause = onOneOrAll(
  'pause',
  'Everything is paused. Only your messages run.',
  'paused. Only your messages run.',
);

/** `kairos resume [SESSION]` */
export const resume = onOneOrAll('resume', 'Everything runs again.', 'runs again.');
