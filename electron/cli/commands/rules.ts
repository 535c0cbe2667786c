import { assertNever } from '../../../shared/base/assert-never.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';
import {
  type RuleView,
  type StandingAnswer,
  standingAnswerSchema,
  type StandingRule,
} from '../../../shared/protocol/permissions.ts';
import type { Arguments, RunCommand } from '../arguments/command-spec.ts';
import { anyAnswerSchema, ruleAddedSchema, rulesAnswerSchema } from '../bridge/answers.ts';
import { ask, get, post } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import { existingDirectory } from '../directory.ts';
import { usageFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { notice, printJson, printText } from '../output/print.ts';
import { ruleMeaning, ruleOrigin } from '../output/rule-text.ts';
import { table } from '../output/table.ts';
import { isoTime, relativeTime } from '../output/times.ts';

/** Where rules are looked at: the session that was named, else a directory. */
export function placeOf(context: CliContext, args: Arguments): { session: string } | { dir: string } {
  const [session, dir] = [args.text('session'), args.text('dir')];
  if (session !== undefined && dir !== undefined)
    throw usageFailure('--session and --dir do not go together.', 'A session has its own directory.');
  return session === undefined ? { dir: existingDirectory(context, dir ?? '.') } : { session };
}

/** `kairos rules`: what runs, asks or is denied without a question, from every source. */
export const list: RunCommand = async (context, args) => {
  const place = placeOf(context, args);
  const answer = await get(context, `/rules/standing?${new URLSearchParams(place)}`, standingAnswerSchema);
  const elsewhere = 'session' in place ? [] : await rulesOfSessions(context);
  const rules = [...answer.rules, ...elsewhere];
  if (args.flag('json')) return printJson(context, rules.map(ruleFacts));
  const listed =
    rules.length === 0
      ? `No rules. "${context.program} approve CODE --scope always" stores one.\n`
      : table(rules.map(rowOf(context)), context.stdout.columns);
  return printText(context, `${listed}${lastLines(context, answer)}`);
};

/** Those that hold in single sessions, so that they are found and can be revoked. */
async function rulesOfSessions(context: CliContext): Promise<StandingRule[]> {
  const stored = await get(context, '/rules', rulesAnswerSchema);
  return stored.filter(({ session }) => session !== null).map(ofSession);
}

function ofSession(rule: RuleView): StandingRule {
  return { ...rule, source: 'session', file: null };
}

function ruleFacts({ createdAt, ...rule }: StandingRule) {
  return { ...rule, createdAt: createdAt === null ? null : isoTime(createdAt) };
}

function rowOf(context: CliContext): (rule: StandingRule) => Parameters<typeof table>[0][number] {
  const now = context.clock.now();
  return (rule) => [
    { text: rule.effect },
    { text: oneLine(rule.rule, 400), fit: 'wrap' },
    { text: ruleOrigin(rule), fit: 'wrap' },
    { text: rule.createdAt === null ? '' : relativeTime(rule.createdAt, now), fit: 'wrap' },
    { text: rule.id === null ? '' : foreignLine(rule.id), fit: 'whole' },
  ];
}

function lastLines(
  { program }: CliContext,
  { notices, untrusted, onlyManagedRules }: StandingAnswer,
): string {
  const lines = [
    ...(onlyManagedRules ? ['Only rules of managed settings allow; the others only ask and deny.'] : []),
    ...notices.map((text) => `! ${foreignLine(text)}`),
    ...untrusted.map(
      (dir) =>
        `What ${foreignLine(dir)} brings beside denials and questions does not hold. See it with: ${program} trust ${quoted(dir)}`,
    ),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** To be pasted into a shell. */
export function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${foreignLine(path).replaceAll("'", "'\\''")}'`;
}

/** `kairos rules add EFFECT RULE`: stores it and says what it does. */
export const add: RunCommand = async (context, args) => {
  const session = args.text('session');
  const only = session === undefined ? {} : { session };
  const body = { effect: args.required(0), rule: args.required(1), ...only };
  const answer = await post(context, '/rules', body, ruleAddedSchema);
  if (answer.notice !== null) await notice(context, foreignLine(answer.notice));
  const { rule } = answer;
  if (args.flag('json')) return printJson(context, { ...rule, createdAt: isoTime(rule.createdAt) });
  const where =
    rule.session === null ? 'in every session' : `in ${foreignLine(rule.sessionName ?? rule.session)}`;
  const meaning = ruleMeaning(rule.effect, rule.rule, where);
  const stored = `Stored: ${rule.effect} ${foreignLine(rule.rule)} (${foreignLine(rule.id)})`;
  return printText(context, meaning === null ? stored : `${stored}\n${meaning}`);
};

/** `kairos rules revoke ID`: takes it back and says what that changes. */
export const revoke: RunCommand = async (context, args) => {
  const id = args.required(0);
  const path = `/rules/${encodeURIComponent(id)}`;
  const before = (await get(context, '/rules', rulesAnswerSchema)).find((rule) => rule.id === id);
  const { value } = await ask(context, { method: 'DELETE', path, repeatable: false }, anyAnswerSchema);
  if (args.flag('json')) return printJson(context, value);
  const gone = before === undefined ? 'The rule is gone.' : goneText(before);
  return printText(
    context,
    `${gone} What becomes of a call now: ${context.program} rules explain TOOL INPUT`,
  );
};

/** Only that one rule is gone: what else decides from now on is for the others. */
function goneText({ effect, rule, session, sessionName }: RuleView): string {
  const where = session === null ? '' : ` in ${foreignLine(sessionName ?? session)}`;
  return `Gone${where}: ${effect} ${oneLine(rule, 400)}. ${nowText(effect)}`;
}

function nowText(effect: RuleView['effect']): string {
  switch (effect) {
    case 'deny':
      return 'It no longer denies: other rules and the mode decide, so the call may ask or run unasked.';
    case 'ask':
      return 'It no longer asks: other rules and the mode decide, so the call may run unasked.';
    case 'allow':
      return 'It no longer allows: Kairos asks again, unless another rule or the mode decides.';
    default:
      return assertNever(effect, 'effect of a rule');
  }
}
