import { visibleText } from '../../../shared/base/visible-text.ts';
import type { PromptView } from '../../../shared/domain/prompts.ts';
import { foreignLine } from './foreign-text.ts';
import type { Paint } from './paint.ts';
import { relativeTime } from './times.ts';

function indent(text: string): string[] {
  return visibleText(text)
    .split('\n')
    .map((line) => `    ${line}`.trimEnd());
}

function letter(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

function optionLines(prompt: PromptView): string[] {
  return prompt.options.map(({ label, description }, index) => {
    const more = description === undefined || description === '' ? '' : `: ${description}`;
    return `    ${letter(index)}) ${foreignLine(label + more)}`;
  });
}

/** The commands that answer this prompt. */
function answerCommands(prompt: PromptView, program: string): string[] {
  const code = foreignLine(prompt.code);
  if (prompt.kind !== 'question') return [`${program} approve ${code}`, `${program} deny ${code}`];
  if (prompt.options.length === 0) return [`${program} answer ${code} "..."`];
  return [`${program} answer ${code} A`, `${program} answer ${code} --own-words "..."`];
}

/** A prompt with everything that is decided on, whole: headline, where, preview, options, and how to answer it. */
export function promptText(prompt: PromptView, now: number, paint: Paint, program: string): string {
  const name = foreignLine(prompt.sessionName ?? prompt.session);
  const lines = [
    paint('asking', `Needs you: ${foreignLine(prompt.headline)}`),
    paint('muted', `  ${name} in ${foreignLine(prompt.dir)}, expires ${relativeTime(prompt.expiresAt, now)}`),
    ...(prompt.description === '' ? [] : [`  Kairos says: ${foreignLine(prompt.description)}`]),
    ...indent(prompt.preview),
    ...optionLines(prompt),
    ...(prompt.rule === null
      ? []
      : [paint('muted', `  "always" would store the rule: ${foreignLine(prompt.rule)}`)]),
    `  Answer with: ${answerCommands(prompt, program).join('   or   ')}`,
  ];
  return `${lines.join('\n')}\n`;
}
