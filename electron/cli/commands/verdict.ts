import { assertNever } from '../../../shared/base/assert-never.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';
import { type Verdict, type VerdictOutcome, verdictScopeSchema } from '../../../shared/domain/prompts.ts';
import { type VerdictAnswer, verdictAnswerSchema } from '../../../shared/protocol/bridge.ts';
import type { Arguments, RunCommand } from '../arguments/command-spec.ts';
import { post } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { printJson, printText } from '../output/print.ts';

function exitFor(outcome: VerdictOutcome): ExitCode {
  switch (outcome) {
    case 'accepted':
      return exit.done;
    case 'unknown':
      return exit.failed;
    case 'already_answered':
    case 'expired':
    case 'not_allowed':
      return exit.refused;
    default:
      return assertNever(outcome, 'outcome');
  }
}

/** Ids are case-sensitive, codes are not: a phone's keyboard begins with a capital. */
function readCode(typed: string): string {
  const code = typed.trim();
  return code.includes('_') ? code : code.toLowerCase();
}

/** What helps after a refusal; what was answered before or expired needs nothing more. */
function nextAfter(outcome: VerdictOutcome, code: string, verdict: Verdict): string | null {
  if (outcome === 'unknown') return 'See what is open: kairos approvals';
  if (outcome !== 'not_allowed') return null;
  if (verdict.behavior === 'answer') return `If you mean just that: kairos answer ${code} TEXT --own-words`;
  if (verdict.behavior === 'allow' && verdict.scope !== 'once')
    return `Allow it once: kairos approve ${code}`;
  return 'See it whole: kairos approvals';
}

async function report(
  context: CliContext,
  args: Arguments,
  { outcome, by, message }: VerdictAnswer,
  verdict: Verdict,
): Promise<ExitCode> {
  if (args.flag('json')) await printJson(context, { outcome, by, message });
  else if (outcome === 'accepted') await printText(context, acceptedText(context, message, verdict));
  if (outcome === 'accepted') return exit.done;
  const next = nextAfter(outcome, readCode(args.required(0)), verdict);
  throw new CommandFailure(exitFor(outcome), oneLine(message, 500), next);
}

/** A rule that was kept can be taken back; what the daemon says of anything else is all there is to say. */
function acceptedText(context: CliContext, message: string, verdict: Verdict): string {
  const isKept =
    verdict.behavior === 'allow' && verdict.scope !== 'once' && message.includes(', by the rule ');
  const { program } = context;
  const takeBack = isKept ? ` To take it back: ${program} rules, then ${program} rules revoke ID` : '';
  return `${oneLine(message, 500)}${takeBack}`;
}

async function decide(context: CliContext, args: Arguments, verdict: Verdict): Promise<ExitCode> {
  const path = `/prompts/${encodeURIComponent(readCode(args.required(0)))}/verdict`;
  return report(context, args, await post(context, path, { verdict }, verdictAnswerSchema), verdict);
}

/** `kairos approve CODE` */
export const approve: RunCommand = (context, args) => {
  const scope = verdictScopeSchema.parse(args.text('scope') ?? 'once');
  return decide(context, args, { behavior: 'allow', scope });
};

/** `kairos deny CODE` */
export const deny: RunCommand = (context, args) => {
  const reason = args.text('reason');
  return decide(context, args, { behavior: 'deny', ...(reason === undefined ? {} : { reason }) });
};

/** `kairos answer CODE TEXT` */
export const answer: RunCommand = (context, args) => {
  const text = args.required(1);
  if (text.trim() === '') throw usageFailure('The answer is empty.', 'For example: kairos answer abcde A');
  const ownWords = args.flag('own-words') ? { ownWords: true } : {};
  return decide(context, args, { behavior: 'answer', text, ...ownWords });
};
