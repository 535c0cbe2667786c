import type { RuleView } from '../../../shared/protocol/bridge.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { anyAnswerSchema, ruleAddedSchema, rulesAnswerSchema } from '../bridge/answers.ts';
import { ask, get, post } from '../bridge/client.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { notice, printJson, printText } from '../output/print.ts';
import { table } from '../output/table.ts';
import { isoTime, relativeTime } from '../output/times.ts';

function place({ session, sessionName }: RuleView): string {
  return session === null ? 'everywhere' : `only in ${foreignLine(sessionName ?? session)}`;
}

/** `kairos rules`: what runs, asks or is denied without a question. */
export const list: RunCommand = async (context, args) => {
  const rules = await get(context, '/rules', rulesAnswerSchema);
  if (args.flag('json')) {
    return printJson(
      context,
      rules.map((rule) => ({ ...rule, createdAt: isoTime(rule.createdAt) })),
    );
  }
  if (rules.length === 0)
    return printText(context, `No rules. "${context.program} approve CODE --scope always" stores one.`);
  const now = context.clock.now();
  const rows = rules.map((rule) => [
    { text: rule.effect },
    { text: oneLine(rule.rule, 400), fit: 'wrap' as const },
    { text: place(rule), fit: 'wrap' as const },
    { text: relativeTime(rule.createdAt, now), fit: 'wrap' as const },
    { text: foreignLine(rule.id), fit: 'whole' as const },
  ]);
  return printText(context, table(rows, context.stdout.columns));
};

/** `kairos rules add EFFECT RULE` */
export const add: RunCommand = async (context, args) => {
  const body = { effect: args.required(0), rule: args.required(1) };
  const answer = await post(context, '/rules', body, ruleAddedSchema);
  if (answer.notice !== null) await notice(context, foreignLine(answer.notice));
  if (args.flag('json'))
    return printJson(context, { ...answer.rule, createdAt: isoTime(answer.rule.createdAt) });
  return printText(
    context,
    `Stored: ${answer.rule.effect} ${foreignLine(answer.rule.rule)} (${foreignLine(answer.rule.id)})`,
  );
};

/** `kairos rules revoke ID` */
export const revoke: RunCommand = async (context, args) => {
  const path = `/rules/${encodeURIComponent(args.required(0))}`;
  const { value } = await ask(context, { method: 'DELETE', path, repeatable: false }, anyAnswerSchema);
  if (args.flag('json')) return printJson(context, value);
  return printText(context, 'The rule is gone; Kairos asks again.');
};
