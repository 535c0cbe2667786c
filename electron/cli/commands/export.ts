import { KairosError } from '../../../shared/base/errors.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { openAnswer } from '../bridge/client.ts';
import { exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';

/** A session of a hundred thousand events takes a while; what counts is that something keeps coming. */
const headWithinMs = 60_000;

/** `kairos export SESSION`: JSON lines to stdout as they come, never held in memory. */
export const run: RunCommand = async (context, args) => {
  const path = `/sessions/${encodeURIComponent(args.required(0))}/export`;
  const limits = { until: context.clock.monotonic() + headWithinMs };
  const { response } = await openAnswer(context, { method: 'GET', path, repeatable: true }, limits);
  try {
    response.setEncoding('utf8');
    for await (const text of response) {
      await context.stdout.write(text as string);
      if (context.stdout.closed) return exit.done;
    }
  } catch (cause) {
    // An output that cannot be written says so itself.
    throw cause instanceof KairosError ? cause : brokeOff(cause);
  }
  if (!response.complete) throw brokeOff(undefined);
  return exit.done;
};

function brokeOff(cause: unknown): CommandFailure {
  return new CommandFailure(
    exit.failed,
    'The export broke off; what was printed is not the whole.',
    'Try again.',
    cause,
  );
}
