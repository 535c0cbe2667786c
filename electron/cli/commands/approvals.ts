import type { PromptView } from '../../../shared/domain/prompts.ts';
import type { PermissionMode } from '../../../shared/domain/sessions.ts';
import { limits } from '../../../shared/protocol/bridge.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { promptsAnswerSchema, sessionsAnswerSchema } from '../bridge/answers.ts';
import { get } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { type Paint, painter } from '../output/paint.ts';
import { printJson, printText } from '../output/print.ts';
import { promptText } from '../output/prompt-text.ts';
import { isoTime, relativeTime } from '../output/times.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';

/** A prompt as `--json` gives it; times are ISO 8601 in UTC. */
function promptFacts(prompt: PromptView, mode: PermissionMode | undefined) {
  const {
    code,
    session,
    tool,
    description,
    preview,
    kind,
    headline,
    risks,
    reason,
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
    reason: reason ?? null,
    rule,
    options,
    dir,
    mode: mode ?? null,
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

/** What the sessions of prompts may do unasked now, by their id; one that was archived is not among them. */
async function modesOf(context: CliContext): Promise<ReadonlyMap<string, PermissionMode>> {
  const sessions = await get(context, '/sessions', sessionsAnswerSchema);
  return new Map(sessions.map(({ id, mode }) => [id, mode]));
}

/** How many wait, where it is more than one, and since when. */
function countLine(open: readonly PromptView[], now: number): string[] {
  if (open.length < 2) return [];
  const oldest = Math.min(...open.map(({ createdAt }) => createdAt));
  return [`${open.length} wait for your decision, the oldest was asked ${relativeTime(oldest, now)}.\n`];
}

/** `kairos approvals`: every open prompt with everything that is decided on. */
export const run: RunCommand = async (context, args) => {
  const states = args.flag('all') ? ['open', 'closed'] : ['open'];
  const answers = states.map((state) =>
    get(context, `/prompts?state=${state}&limit=${limits.pageMax}`, promptsAnswerSchema),
  );
  const prompts = (await Promise.all(answers)).flat();
  const modes = prompts.length === 0 ? new Map<string, PermissionMode>() : await modesOf(context);
  if (args.flag('json')) {
    const facts = prompts.map((prompt) => promptFacts(prompt, modes.get(prompt.session)));
    return printJson(context, facts);
  }
  if (prompts.length === 0) return printText(context, 'Nothing needs you.');
  const paint = painter(context.stdout, context.env);
  const now = context.clock.now();
  const texts = prompts.map((prompt) =>
    prompt.state === 'open'
      ? promptText(prompt, now, paint, { program: context.program, mode: modes.get(prompt.session) })
      : closedLine(prompt, now, paint),
  );
  const open = prompts.filter(({ state }) => state === 'open');
  return printText(context, [...countLine(open, now), ...texts].join('\n'));
};
