import type { IncomingMessage } from 'node:http';
import type * as z from 'zod/mini';
import { assertNever } from '../../../shared/base/assert-never.ts';
import { errorCode } from '../../../shared/base/errors.ts';
import { type DaemonFile, errorBodySchema } from '../../../shared/protocol/bridge.ts';
import type { CliContext } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CommandFailure, restartIt } from '../failure.ts';
import { type HomeWatch, watchHome } from './home-watch.ts';
import { type BridgeRequest, readBody, sendRequest } from './http.ts';
import { type Located, locateDaemon, unreachable } from './locate.ts';

/** How long a request may take and a daemon that is restarting is waited for; `until` is monotonic ms. */
export interface CallLimits {
  readonly until: number;
  /** True: a daemon that is gone altogether is waited for too (it was there before). */
  readonly patient?: boolean;
}

/** A command waits this long for an answer, or for a daemon that its supervisor is bringing back. */
export const defaultWaitMs = 15_000;

/** How often an unchanged home is looked at again, ms: a port may open without any file changing. */
const lookAgainMs = 100;

interface Attempt {
  readonly context: CliContext;
  readonly request: BridgeRequest;
  readonly limits: CallLimits;
  readonly watch: HomeWatch;
}

/** An answer of the daemon with a status below 400. */
export interface BridgeAnswer {
  readonly daemon: DaemonFile;
  readonly response: IncomingMessage;
}

function timeLeft({ context, limits }: Attempt): number {
  return limits.until - context.clock.monotonic();
}

function gaveNoAnswer(daemon: DaemonFile): CommandFailure {
  const message = `The daemon (process ${daemon.pid}) does not answer at ${daemon.url}.`;
  return new CommandFailure(
    exit.timedOut,
    message,
    'Look with: kairos daemon logs, or restart it: kairos daemon restart',
  );
}

async function sendWithin(attempt: Attempt, daemon: DaemonFile) {
  const abort = new AbortController();
  const cancel = attempt.context.clock.after(Math.max(0, timeLeft(attempt)), () => abort.abort());
  try {
    return await sendRequest(daemon, attempt.request, abort.signal);
  } finally {
    cancel();
  }
}

/** One try on a daemon whose process lives: its answer, or undefined when it is worth trying again. */
async function tryOnce(attempt: Attempt, daemon: DaemonFile): Promise<BridgeAnswer | undefined> {
  const outcome = await sendWithin(attempt, daemon);
  if (outcome.kind === 'answer') return { daemon, response: outcome.response };
  switch (outcome.why) {
    case 'silent':
      throw gaveNoAnswer(daemon);
    case 'refused':
      return undefined;
    case 'lost': {
      if (attempt.request.repeatable) return undefined;
      const message =
        'The connection to the daemon broke before its answer came, so it is not known whether it was done.';
      throw new CommandFailure(exit.failed, message, 'Look with: kairos sessions, then try again.');
    }
    default:
      return assertNever(outcome.why, 'reason');
  }
}

async function pause(attempt: Attempt, located: Located): Promise<void> {
  const left = timeLeft(attempt);
  if (left <= 0) throw located.kind === 'running' ? gaveNoAnswer(located.daemon) : unreachable(located);
  await attempt.watch.change(Math.min(lookAgainMs, left));
}

async function answerOf(attempt: Attempt): Promise<BridgeAnswer> {
  const patient = attempt.limits.patient === true;
  let refusedToken: string | undefined;
  for (;;) {
    const located = await locateDaemon(attempt.context.home);
    if (located.kind === 'damaged' || (located.kind === 'absent' && !patient)) throw unreachable(located);
    if (located.kind === 'running') {
      const answer = await tryOnce(attempt, located.daemon);
      // A 401 with a token that has been replaced meanwhile only says that the file was read a moment too early.
      const refused = answer?.response.statusCode === 401 && refusedToken !== located.daemon.token;
      if (answer !== undefined && !refused) return answer;
      if (refused) refusedToken = located.daemon.token;
      answer?.response.resume();
    }
    await pause(attempt, located);
  }
}

function exitFor(status: number): ExitCode {
  if (status === 400 || status === 413 || status === 422) return exit.usage;
  if (status === 401 || status === 403 || status === 429) return exit.refused;
  return exit.failed;
}

async function failureOf(answer: BridgeAnswer): Promise<CommandFailure> {
  const status = answer.response.statusCode ?? 500;
  const text = await readBody(answer.response);
  let parsed: ReturnType<typeof errorBodySchema.safeParse> | undefined;
  try {
    parsed = errorBodySchema.safeParse(JSON.parse(text ?? ''));
  } catch {
    // Not from our daemon (a proxy): its status is all that can be told.
    parsed = undefined;
  }
  if (parsed?.success === true) {
    const { message, next, code } = parsed.data.error;
    return new CommandFailure(exitFor(status), message, next, { code });
  }
  const message = `The daemon answered with status ${status} and no explanation.`;
  return new CommandFailure(exitFor(status), message, 'Look with: kairos daemon logs');
}

/**
 * Sends a request to the daemon of this home, waiting for one that is being restarted, and resolves with the response once its
 * head is there. Throws CommandFailure: 3 no daemon, 4 no answer in time, else by the daemon's own refusal.
 */
export async function openAnswer(
  context: CliContext,
  request: BridgeRequest,
  limits: CallLimits = { until: context.clock.monotonic() + defaultWaitMs },
): Promise<BridgeAnswer> {
  const watch = watchHome(context.home, context.clock);
  try {
    const answer = await answerOf({ context, request, limits, watch });
    if ((answer.response.statusCode ?? 500) >= 400) throw await failureOf(answer);
    return answer;
  } finally {
    watch.close();
  }
}

/** The cause of failures that another try may not meet. */
const passing = { code: 'stopping' };

/** A daemon on its way out refuses; the one that follows it will not. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof CommandFailure) || error.cause === undefined) return false;
  const code = errorCode(error.cause);
  return code === 'stopping' || code === 'closed';
}

/** Sends a request and returns its JSON answer, checked, with the daemon that gave it. Throws CommandFailure. */
export async function ask<Value>(
  context: CliContext,
  request: BridgeRequest,
  schema: z.ZodMiniType<Value>,
  limits: CallLimits = { until: context.clock.monotonic() + defaultWaitMs },
): Promise<{ readonly daemon: DaemonFile; readonly value: Value }> {
  for (;;) {
    try {
      const { daemon, response } = await openAnswer(context, request, limits);
      const text = await readBody(response);
      if (text !== undefined) return { daemon, value: decode(text, schema) };
      throw new CommandFailure(exit.failed, 'The answer of the daemon broke off.', 'Try again.', passing);
    } catch (error) {
      const again = request.repeatable && isPassing(error) && context.clock.monotonic() < limits.until;
      if (!again) throw error;
      await new Promise<void>((resolve) => context.clock.after(lookAgainMs, resolve));
    }
  }
}

/** Asks the daemon for something that changes nothing. Throws CommandFailure. */
export async function get<Value>(
  context: CliContext,
  path: string,
  schema: z.ZodMiniType<Value>,
  limits?: CallLimits,
): Promise<Value> {
  return (await ask(context, { method: 'GET', path, repeatable: true }, schema, limits)).value;
}

/** Asks the daemon to do something once. Throws CommandFailure. */
export async function post<Value>(
  context: CliContext,
  path: string,
  body: unknown,
  schema: z.ZodMiniType<Value>,
): Promise<Value> {
  return (await ask(context, { method: 'POST', path, body, repeatable: false }, schema)).value;
}

function decode<Value>(text: string, schema: z.ZodMiniType<Value>): Value {
  let value: unknown;
  try {
    value = text === '' ? {} : JSON.parse(text);
  } catch {
    // Not JSON: fails the schema below, with its sentence.
    value = undefined;
  }
  const answer = schema.safeParse(value);
  if (answer.success) return answer.data;
  const message = 'The daemon gave an answer that this version of kairos does not understand.';
  throw new CommandFailure(exit.failed, message, restartIt, answer.error);
}
