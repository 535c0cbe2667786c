import type { PromptView } from '../../../shared/domain/prompts.ts';
import { limits } from '../../../shared/protocol/bridge.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { promptsAnswerSchema } from '../bridge/answers.ts';
import { get } from '../bridge/client.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { type Paint, painter } from '../output/paint.ts';
import { printJson, printText } from '../output/print.ts';
import { promptText } from '../output/prompt-text.ts';
import { isoTime, relativeTime } from '../output/times.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';

/** A prompt as `--json` gives it; times are ISO 8601 in UTC. */
function promptFacts(prompt: PromptView) {
  const {
    code,
    session,
    tool,
    description,
    preview,
    kind,
    headline,
    risks,
    rule,
    options,
    state,
    dir,
    verdict,
    by,
  } = prompt;
  return {
    code,
    session,
    tool,
    description,
    preview,
    createdAt: isoTime(prompt.createdAt),
    expiresAt: isoTime(prompt.expiresAt),
    name: prompt.sessionName,
    kind,
    headline,
    risks: risks ?? [],
    rule,
    options,
    dir,
    state,
    verdict,
    by: by === null ? null : { ...by, at: isoTime(by.at) },
  };
}

function closedLine(prompt: PromptView, now: number, paint: Paint): string {
  const what = prompt.verdict === null ? prompt.state : prompt.verdict.behavior;
  const who = prompt.by === null ? '' : ` by ${oneLine(prompt.by.surface, 40)}`;
  const when = relativeTime(prompt.by?.at ?? prompt.expiresAt, now);
  return paint(
    'muted',
    `${foreignLine(prompt.code)}  ${what}${who}, ${when}: ${oneLine(prompt.headline, 200)}\n`,
  );
}

/** `kairos approvals`: every open prompt with everything that is decided on. */
export const run: RunCommand = async (context, args) => {
  const states = args.flag('all') ? ['open', 'closed'] : ['open'];
  const answers = states.map((state) =>
    get(context, `/prompts?state=${state}&limit=${limits.pageMax}`, promptsAnswerSchema),
  );
  const prompts = (await Promise.all(answers)).flat();
  if (args.flag('json')) return printJson(context, prompts.map(promptFacts));
  if (prompts.length === 0) return printText(context, 'Nothing needs you.');
  const paint = painter(context.stdout, context.env);
  const now = context.clock.now();
  const texts = prompts.map((prompt) =>
    prompt.state === 'open'
      ? promptText(prompt, now, paint, context.program)
      : closedLine(prompt, now, paint),
  );
  return printText(context, texts.join('\n'));
};
