import type { Arguments } from './arguments/command-spec.ts';
import type { CliContext } from './context.ts';

/** The model that a new session was to get: `--model`, else KAIROS_MODEL; undefined when neither names one. */
export function namedModel(context: CliContext, args: Arguments): string | undefined {
  const named = args.text('model') ?? context.env.KAIROS_MODEL?.trim();
  return named === '' ? undefined : named;
}
