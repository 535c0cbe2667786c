import type { CliContext } from '../context.ts';

/** How the viewer shows things here. */
export interface Looks {
  /** Append only, numbers, no boxes, nothing that moves the cursor. */
  readonly isPlain: boolean;
  readonly hasColours: boolean;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0';
}

/** Plain where it was asked for, for screen readers (ACCESSIBLE), on dumb terminals, and where there is no terminal. */
export function looksOf(context: CliContext, wantsPlain: boolean): Looks {
  const { env, stdout } = context;
  const isDumb = env.TERM === 'dumb' || env.TERM === undefined;
  const isPlain =
    wantsPlain || isSet(env.ACCESSIBLE) || isDumb || !stdout.isTerminal || process.stdin.isTTY !== true;
  return { isPlain, hasColours: stdout.isTerminal && env.TERM !== 'dumb' && (env.NO_COLOR ?? '') === '' };
}
