import { realpathSync } from 'node:fs';
import { errorCode } from '../../../shared/base/errors.ts';
import { type SessionView, sessionViewSchema } from '../../../shared/protocol/bridge.ts';
import type { Arguments } from '../arguments/command-spec.ts';
import { type CallLimits, get } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import { existingDirectory } from '../directory.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';

async function find(
  context: CliContext,
  session: string,
  limits: CallLimits,
): Promise<SessionView | undefined> {
  try {
    return await get(context, `/sessions/${encodeURIComponent(session)}`, sessionViewSchema, limits);
  } catch (error) {
    const isNew = error instanceof CommandFailure && errorCode(error.cause) === 'not_found';
    if (isNew) return undefined;
    throw error;
  }
}

/**
 * The session that a message with `--dir`, `--model` or `--mode` goes to; undefined when it is made with the message or none of
 * the three was typed. Throws CommandFailure (2) for a directory or a model that is not the session's: both are fixed.
 */
export async function sessionToKeep(
  context: CliContext,
  args: Arguments,
  limits: CallLimits,
): Promise<SessionView | undefined> {
  const [named, dir, model] = [args.text('session'), args.text('dir'), args.text('model')];
  if (named === undefined || [dir, model, args.text('mode')].every((value) => value === undefined))
    return undefined;
  const session = await find(context, named, limits);
  if (session === undefined) return undefined;
  const wanted = dir === undefined ? session.dir : realpathSync(existingDirectory(context, dir));
  if (wanted !== session.dir)
    throw usageFailure(
      `Session ${foreignLine(named)} works in "${session.dir}", not in "${wanted}".`,
      'Leave --dir out, or name another session.',
    );
  if (model !== undefined && model !== session.model)
    throw usageFailure(
      `Session ${foreignLine(named)} uses the model ${session.model}, not ${model}.`,
      'Leave --model out, or name another session.',
    );
  return session;
}
