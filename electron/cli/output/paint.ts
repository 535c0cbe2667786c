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

// Everything but tab and line feed that can move a cursor, change a colour or ring a bell.
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/** Text that came from a model or a program, for this output: a terminal gets no control characters, a file gets every byte. */
export function foreignText(text: string, output: TextOutput): string {
  if (!output.isTerminal) return text;
  return text.replaceAll('\r\n', '\n').replace(control, (char) => {
    return `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}
