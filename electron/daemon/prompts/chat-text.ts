import { oneLine } from '../../../shared/base/visible-text.ts';
import { optionLetter } from '../../../shared/domain/answer-text.ts';
import type { PromptView } from '../../../shared/domain/prompts.ts';
import type { Showing } from './surface.ts';

/** A prompt as a chat shows it, in plain text, with what to reply (`readReply` reads it). */
export function chatText(showing: Showing): string {
  const { prompt, text } = showing;
  const isQuestion = prompt.kind === 'question' || prompt.kind === 'elicitation';
  if (isQuestion) return [`Kairos asks: ${text}`, ...optionLines(prompt), answerLine(prompt)].join('\n');
  const lead = prompt.kind === 'plan' ? 'Kairos wants to begin with this plan' : 'Kairos needs to run';
  return [`${lead}: ${text}`, decideLine(showing)].join('\n');
}

function decideLine({ prompt: { code }, whole }: Showing): string {
  if (whole) return `Reply: yes ${code} or no ${code}`;
  return `Too long to show here whole: reply no ${code}, or allow it in the window.`;
}

function optionLines({ options }: PromptView): string[] {
  return options.map(({ label }, index) => `${optionLetter(index)}) ${oneLine(label, 200)}`);
}

function answerLine({ code, options, multiple }: PromptView): string {
  if (options.length === 0) return `Reply to this message, or: ${code} and your answer`;
  return `Reply: ${code} ${multiple && options.length > 1 ? 'A, B' : 'A'}, or reply to this message in your own words`;
}
