import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonFile } from '../../../shared/protocol/bridge.ts';
import { splitReason } from '../../../shared/protocol/safe-mode.ts';
import { daemonExit } from '../../../shared/protocol/supervisor-link.ts';
import { type HomeWatch, watchHome } from '../bridge/home-watch.ts';
import { readBody, sendRequest } from '../bridge/http.ts';
import { type Located, locateDaemon, unreachable } from '../bridge/locate.ts';
import type { CliContext } from '../context.ts';
import { exit } from '../exit.ts';
import { buildIt, CommandFailure } from '../failure.ts';
import { lockHolder } from './lock-holders.ts';

/** A start takes at most this long, ms; a large migration may take longer and goes on by itself. */
const startWithinMs = 20_000;

/** A port may open without any file changing, ms. */
const lookAgainMs = 50;

/** Path of the supervisor's program. Throws CommandFailure when this copy of Kairos is incomplete. */
export function supervisorProgram(context: CliContext): string {
  const path = join(context.programs, 'supervisor.js');
  if (existsSync(path)) return path;
  const message = `The supervisor's program "${path}" is missing.`;
  throw new CommandFailure(exit.failed, message, buildIt);
}

/** True when the bridge of this daemon answers within `withinMs`. */
export async function answersHealth(
  context: CliContext,
  daemon: DaemonFile,
  withinMs: number,
): Promise<boolean> {
  const abort = new AbortController();
  const cancel = context.clock.after(withinMs, () => abort.abort());
  try {
    const request = { method: 'GET', path: '/health', repeatable: true } as const;
    const outcome = await sendRequest(daemon, request, abort.signal);
    if (outcome.kind === 'none') return false;
    await readBody(outcome.response);
    return outcome.response.statusCode === 200;
  } finally {
    cancel();
  }
}

/** How a supervisor ended before its daemon was ready. */
export interface EarlyEnd {
  /** Its exit code; null when it was killed. */
  readonly code: number | null;
  /** Its last word; empty when somebody stopped it. */
  readonly reason: string;
}

/** The failure of a start that somebody stopped. */
export function stoppedMeanwhile(): CommandFailure {
  const message = 'Kairos was stopped while it was starting.';
  return new CommandFailure(exit.failed, message, 'Start it again with: kairos daemon start');
}

/** A supervisor that somebody started; resolves when it ends, never rejects. */
export type EndOfSupervisor = Promise<EarlyEnd>;

function notReady(located: Located): CommandFailure {
  const seconds = startWithinMs / 1000;
  const state = located.kind === 'starting' ? ` (${located.supervisor.state})` : '';
  const message = `Kairos was not ready within ${seconds} s${state}; it may still be starting.`;
  return new CommandFailure(exit.timedOut, message, 'Look with: kairos daemon status, or kairos daemon logs');
}

/** The failure for a supervisor that ended; a lost lock names who holds it. */
async function startFailure({ home }: CliContext, end: EarlyEnd): Promise<CommandFailure> {
  if (end.code === daemonExit.lockHeld) {
    const holder = await lockHolder(home.lockDb);
    const message = `The state directory "${home.home}" is locked by ${holder}, which does not answer.`;
    return new CommandFailure(
      exit.failed,
      message,
      'End that process, or set KAIROS_HOME to another directory.',
    );
  }
  if (end.reason === '') return stoppedMeanwhile();
  const { why, next } = splitReason(end.reason);
  return new CommandFailure(exit.failed, `Kairos did not start: ${why}`, next ?? 'See: kairos doctor');
}

/** A start that lost the race for the lock gives the winner this long to become ready, ms. */
const winnerWithinMs = 5_000;

async function watchUntilReady(context: CliContext, watch: HomeWatch, ended: EndOfSupervisor | undefined) {
  let until = context.clock.monotonic() + startWithinMs;
  let end: EarlyEnd | undefined;
  void ended?.then((early) => {
    end = early;
    const winner = early.code === daemonExit.lockHeld ? winnerWithinMs : 0;
    until = Math.min(until, context.clock.monotonic() + winner);
  });
  for (;;) {
    const located = await locateDaemon(context.home);
    if (located.kind === 'running' && (await answersHealth(context, located.daemon, 1_000)))
      return located.daemon;
    if (ended === undefined && located.kind !== 'starting' && located.kind !== 'running')
      throw unreachable(located);
    if (context.clock.monotonic() >= until) {
      throw end === undefined ? notReady(located) : await startFailure(context, end);
    }
    await Promise.race([
      watch.change(lookAgainMs),
      ...(ended === undefined || end !== undefined ? [] : [ended]),
    ]);
  }
}

/**
 * Resolves with the daemon of this home once its bridge answers. With `ended` it fails as soon as that supervisor has ended
 * and no other daemon turned out to run here. Throws CommandFailure: 1 with the reason, 4 after 20 s.
 */
export async function awaitReady(context: CliContext, ended?: EndOfSupervisor): Promise<DaemonFile> {
  const watch = watchHome(context.home, context.clock);
  try {
    return await watchUntilReady(context, watch, ended);
  } finally {
    watch.close();
  }
}
