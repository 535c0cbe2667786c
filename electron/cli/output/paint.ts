import type { CliContext, TextOutput } from '../context.ts';

/** What a stretch of text means; words always say it too. */
export type Tone = 'strong' | 'muted' | 'asking' | 'good' | 'bad';

/** Colours a text for one output, or returns it unchanged. */
export type Paint = (tone: Tone, text: string) => string;

const codes: Record<Tone, readonly [number, number]> = {
  strong: [1, 22],
  muted: [2, 22],
  asking: [33, 39],
  good: [32, 39],
  bad: [31, 39],
};

/** Colours only on a terminal that knows them and for a person who wants them (NO_COLOR, TERM=dumb). */
export function painter(output: TextOutput, env: CliContext['env']): Paint {
  const plain = !output.isTerminal || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  if (plain) return (_tone, text) => text;
  return (tone, text) => `\u001b[${codes[tone][0]}m${text}\u001b[${codes[tone][1]}m`;
}
