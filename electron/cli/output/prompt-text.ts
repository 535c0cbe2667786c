import { visibleText } from '../../../shared/base/visible-text.ts';
import { optionLetter } from '../../../shared/domain/answer-text.ts';
import { type NothingKept, nothingKept, type PromptView } from '../../../shared/domain/prompts.ts';
import type { PermissionMode } from '../../../shared/domain/sessions.ts';
import { foreignLine } from './foreign-text.ts';
import type { Paint } from './paint.ts';
import { relativeTime } from './times.ts';

function indent(text: string): string[] {
  return visibleText(text)
    .split('\n')
    .map((line) => `    ${line}`.trimEnd());
}

function optionLines(prompt: PromptView): string[] {
  return prompt.options.map(({ label, description }, index) => {
    const more = description === undefined || description === '' ? '' : `: ${description}`;
    return `    ${optionLetter(index)}) ${foreignLine(label + more)}`;
  });
}

/** The commands that answer this prompt. */
function answerCommands(prompt: PromptView, program: string): string[] {
  const code = foreignLine(prompt.code);
  if (prompt.kind === 'plan')
    return [
      `${program} approve ${code}`,
      `${program} approve ${code} --scope session (then files of its directory change unasked)`,
      `${program} deny ${code} --reason "..."`,
    ];
  if (prompt.kind !== 'question') return [`${program} approve ${code}`, `${program} deny ${code}`];
  if (prompt.options.length === 0) return [`${program} answer ${code} "..."`];
  return [`${program} answer ${code} A`, `${program} answer ${code} "in your own words"`];
}

/** What `--scope session` and `always` would keep, or that they keep nothing. */
function keptLines(prompt: PromptView): string[] {
  const { kind, rule } = prompt;
  if (rule !== null) return [`  "session" and "always" would keep the rule: ${foreignLine(rule)}`];
  if (kind !== 'approval') return [];
  return [`  Can be allowed once only: ${onceOnly[nothingKept(prompt)]}.`];
}

const onceOnly: Readonly<Record<NothingKept, string>> = {
  secret: 'it contains what looks like a secret, and a rule would keep that',
  'no rule': 'no rule is kept for a call like this',
  'asks every time': 'Kairos asks about this every time',
};

/** Why it is asked, in the daemon's words. */
function reasonLines({ reason }: PromptView): string[] {
  return reason === null || reason === undefined ? [] : [`  Asks because: ${foreignLine(reason)}.`];
}

/** Where it asks from; the mode of that session where it is known and not the usual one. */
function whereLine(prompt: PromptView, now: number, mode: PermissionMode | undefined): string {
  const name = foreignLine(prompt.sessionName ?? prompt.session);
  const inMode = mode === undefined || mode === 'default' ? '' : `, mode ${mode}`;
  return `  ${name} in ${foreignLine(prompt.dir)}${inMode}, asked ${relativeTime(prompt.createdAt, now)}, expires ${relativeTime(prompt.expiresAt, now)}`;
}

/** A prompt with everything that is decided on, whole: headline, where, preview, options, and how to answer it. */
export function promptText(
  prompt: PromptView,
  now: number,
  paint: Paint,
  { program, mode }: { readonly program: string; readonly mode?: PermissionMode | undefined },
): string {
  const lines = [
    paint('asking', `Needs you: ${foreignLine(prompt.headline)}`),
    paint('muted', whereLine(prompt, now, mode)),
    ...(prompt.description === '' ? [] : [`  Kairos says: ${foreignLine(prompt.description)}`]),
    ...(prompt.risks ?? []).map((risk) => paint('bad', `  ! ${foreignLine(risk)}`)),
    ...reasonLines(prompt),
    ...indent(prompt.preview),
    ...optionLines(prompt),
    ...keptLines(prompt).map((line) => paint('muted', line)),
    `  Answer with: ${answerCommands(prompt, program).join('   or   ')}`,
  ];
  return `${lines.join('\n')}\n`;
}
