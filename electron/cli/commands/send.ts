import { byteText } from '../../../shared/base/byte-text.ts';
import type { PromptView } from '../../../shared/domain/prompts.ts';
import { namedModel } from '../named-model.ts';
import { adviceOf, permissionModeSchema } from '../../../shared/domain/sessions.ts';
import {
  type MessageAnswer,
  type SendBody,
  type SessionView,
  messageAnswerSchema,
  sessionViewSchema,
} from '../../../shared/protocol/bridge.ts';
import type { Arguments, RunCommand } from '../arguments/command-spec.ts';
import { ask, defaultWaitMs, get } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import { existingDirectory } from '../directory.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { foreignLine, foreignText } from '../output/foreign-text.ts';
import { hint } from '../output/own-name.ts';
import { modeChangeText } from '../output/mode-text.ts';
import { painter } from '../output/paint.ts';
import { notice, printJson, printText } from '../output/print.ts';
import { promptText } from '../output/prompt-text.ts';
import { sessionToKeep } from '../send/existing-session.ts';
import { type Outlook, outlook } from '../send/goes-on.ts';
import { messageText } from '../send/message-text.ts';
import { newUuid } from '../send/new-uuid.ts';
import { sessionWishes } from '../send/session-wishes.ts';
import { type Wait, lookAtMessage, waitForMessage } from '../send/wait-for-message.ts';

const beforeYours = 'The session still asks about an earlier message; yours comes after it.';

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A daemon that has just been killed comes back within this time, ms; the same UUID is sent again then. */
const storeWithinMs = 60_000;

async function bodyOf(context: CliContext, args: Arguments): Promise<SendBody> {
  const text = await messageText(context, args.required(0));
  const mode = args.text('mode');
  const model = namedModel(context, args);
  const session = args.text('session');
  return {
    text,
    uuid: args.text('uuid') ?? newUuid(context.ids),
    // For a session that exists the daemon leaves the directory alone unless it was named.
    dir: existingDirectory(context, args.text('dir') ?? '.'),
    ...(session === undefined ? {} : { session }),
    ...(mode === undefined ? {} : { mode: permissionModeSchema.parse(mode) }),
    ...(model === undefined || model === '' ? {} : { model }),
    ...(args.flag('brief') ? { brief: true } : {}),
    ...sessionWishes(args),
  };
}

/** The words of a reply, then the files that came with it, and those that could not. */
function replyText(context: CliContext, reply: MessageAnswer['replies'][number]): string {
  const { text, attachments = [], lost = [] } = reply;
  const files = attachments.map(({ name, bytes }) => `[file: ${foreignLine(name)}, ${byteText(bytes)}]`);
  const gone = lost.map(({ path, reason }) => `[not sent: ${foreignLine(path)} ${foreignLine(reason)}]`);
  const words = text === '' ? [] : [foreignText(text, context.stdout)];
  return [...words, ...files, ...gone].join('\n');
}

/** The name of a session for people and scripts; null when it has none. An older daemon does not say it by itself. */
async function nameOf(context: CliContext, { session, name }: MessageAnswer): Promise<string | null> {
  if (name !== undefined) return name;
  return (await get(context, `/sessions/${encodeURIComponent(session)}`, sessionViewSchema)).name;
}

async function parkedReason(context: CliContext, answer: MessageAnswer): Promise<string> {
  const path = `/sessions/${encodeURIComponent(answer.session)}`;
  const { parked } = await get(context, path, sessionViewSchema);
  return parked?.reason ?? 'the session stopped';
}

async function printAnswer(context: CliContext, args: Arguments, answer: MessageAnswer): Promise<void> {
  const name = await nameOf(context, answer);
  if (args.flag('json')) {
    const { session, message, state, settledBy, replies, duplicate } = answer;
    await printJson(context, { session, name, message, state, settledBy, replies, duplicate });
    return;
  }
  if (answer.replies.length > 0) {
    const texts = answer.replies.map((reply) => replyText(context, reply));
    const all = texts.join('\n\n');
    await context.stdout.write(all.endsWith('\n') ? all : `${all}\n`);
  }
  if (args.flag('wait')) return;
  const known = answer.duplicate ? 'Stored before' : 'Stored';
  if (answer.state !== 'settled')
    await printText(
      context,
      `${known} in ${answer.created === true ? 'the new ' : ''}session ${foreignLine(name ?? answer.session)}.`,
    );
}

async function fail(context: CliContext, answer: MessageAnswer): Promise<never> {
  const reason = await parkedReason(context, answer);
  // One advice: the session's own, where its reason ends with a command.
  const own = adviceOf(reason);
  if (own !== null) throw new CommandFailure(exit.failed, `The session stopped: ${own.why}`, own.advice);
  const message = `The session stopped: ${reason.replace(/\.$/, '')}. Nothing was lost.`;
  const name = foreignLine((await nameOf(context, answer)) ?? answer.session);
  throw new CommandFailure(exit.failed, message, `Try again with: kairos retry ${name}`);
}

/** A mode that was typed holds from now on, for the session and not only for this message. */
async function tellMode(context: CliContext, args: Arguments, before: SessionView | undefined) {
  const mode = args.text('mode');
  if (before === undefined || mode === undefined || mode === before.mode || args.flag('json')) return;
  const name = foreignLine(before.name ?? before.id);
  const change = modeChangeText(name, permissionModeSchema.parse(mode), context.program);
  await notice(context, `${name} now runs in mode ${mode} (before: ${before.mode}). ${change}`);
}

async function timedOut(context: CliContext, args: Arguments, last: MessageAnswer): Promise<ExitCode> {
  const limits = { until: context.clock.monotonic() + 1_000, patient: true };
  const now = await lookAtMessage(context, last.message, limits).catch((error: unknown) => {
    if (error instanceof CommandFailure) return last;
    throw error;
  });
  await printAnswer(context, args, now);
  const { what, next } = await outlook(context);
  const message = `Not settled after ${args.text('timeout')} s; its state is "${now.state}". ${what}.`;
  throw new CommandFailure(exit.timedOut, message, sentence(next));
}

function waitFor(context: CliContext, stored: MessageAnswer, until: number): Wait {
  const paint = painter(context.stderr, context.env);
  let told = false;
  let waits = false;
  return {
    context,
    message: stored.message,
    session: stored.session,
    until,
    onPrompt: (prompt: PromptView, older: boolean) => {
      const text = promptText(prompt, context.clock.now(), paint, { program: context.program });
      void notice(context, older ? `${paint('muted', beforeYours)}\n${text}` : text);
    },
    onModelWait(why) {
      if (!waits) void notice(context, paint('muted', `${sentence(why)}.`));
      waits = true;
    },
    onLost() {
      if (!told) void notice(context, paint('muted', 'Reconnecting…'));
      told = true;
    },
  };
}

/** Stores the message, and with --wait waits until it is settled. */
async function send(context: CliContext, args: Arguments, onStored: () => void): Promise<ExitCode> {
  const started = context.clock.monotonic();
  const timeout = args.number('timeout');
  if (timeout !== undefined && !args.flag('wait'))
    throw usageFailure('--timeout only limits a wait.', 'Add --wait, or leave --timeout out.');
  const until = timeout === undefined ? Infinity : started + timeout * 1000;
  const body = await bodyOf(context, args);
  const storeMs = args.flag('wait') ? storeWithinMs : defaultWaitMs;
  const request = { method: 'POST', path: '/messages', body, repeatable: true } as const;
  const limits = { until: Math.min(until, started + storeMs) };
  const before = await sessionToKeep(context, args, limits);
  const { value: stored } = await ask(context, request, messageAnswerSchema, limits);
  onStored();
  await tellMode(context, args, before);
  const waiting = args.flag('wait') && stored.state !== 'settled' && stored.state !== 'parked';
  const answer = waiting ? await waitForMessage(waitFor(context, stored, until)) : stored;
  if (answer === undefined) return timedOut(context, args, stored);
  await printAnswer(context, args, answer);
  if (args.flag('wait') && answer.state === 'parked') return fail(context, answer);
  return exit.done;
}

const notKnown: Outlook = {
  what: 'It is not known whether the message was stored',
  next: 'see: kairos sessions',
};

/** `kairos send`: Ctrl+C leaves, the agent goes on. */
export const run: RunCommand = (context, args) => {
  return new Promise((resolve, reject) => {
    let stored = false;
    const leave = async (): Promise<void> => {
      const { what, next } = stored ? await outlook(context) : notKnown;
      await notice(context, hint(context.program, `Left. ${what}; ${next}`));
      resolve(exit.interrupted);
    };
    const cancel = context.onSignal(() => void leave().catch(reject));
    const onStored = (): void => {
      stored = true;
    };
    send(context, args, onStored).then(resolve, reject).finally(cancel);
  });
};
