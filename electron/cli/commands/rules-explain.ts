import { isObject } from '../../../shared/base/json.ts';
import { permissionModeSchema } from '../../../shared/domain/sessions.ts';
import {
  type ExplainAnswer,
  explainAnswerSchema,
  type ExplainBody,
} from '../../../shared/protocol/permissions.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { post } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import { exit } from '../exit.ts';
import { CommandFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { printJson, printText } from '../output/print.ts';
import { ruleOrigin } from '../output/rule-text.ts';
import { placeOf, quoted } from './rules.ts';

/** `kairos rules explain TOOL INPUT`: asks the daemon, which decides by the rules and facts of a real call. */
export const run: RunCommand = async (context, args) => {
  const mode = args.text('mode');
  const body: ExplainBody = {
    tool: args.required(0),
    input: inputOf(args.required(1)),
    ...placeOf(context, args),
    ...(mode === undefined ? {} : { mode: permissionModeSchema.parse(mode) }),
  };
  const answer = await post(context, '/rules/explain', body, explainAnswerSchema);
  if (answer.kind === 'bad')
    throw new CommandFailure(
      exit.failed,
      `No such call could be made: ${foreignLine(answer.message)}`,
      'Correct the input. See: kairos rules explain --help',
    );
  const { kind, ...facts } = answer;
  if (args.flag('json')) return printJson(context, facts);
  return printText(context, explained(context, answer));
};

/** A JSON object is the whole input, anything else stands for it. */
function inputOf(text: string): ExplainBody['input'] {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { kind: 'json', value };
  } catch {
    // A command or a path.
  }
  return { kind: 'text', text };
}

const outcomes = { allow: 'Runs without a question', ask: 'Asks first', deny: 'Does not run' } as const;

type Decided = Extract<ExplainAnswer, { kind: 'decided' }>;

function explained({ program }: CliContext, answer: Decided): string {
  const { behavior, by, rule, reason, mode, dir, paths, access, sandboxed, untrusted } = answer;
  const why =
    rule === null
      ? foreignLine(by)
      : `rule ${rule.effect} ${foreignLine(rule.rule)} (${ruleOrigin(rule)}${rule.id === null ? '' : `, ${foreignLine(rule.id)}`})`;
  const lines = [
    `${outcomes[behavior]}: ${why}`,
    ...(reason === null ? [] : [`  ${foreignLine(reason)}`]),
    `  in ${foreignLine(dir)}, mode ${mode}${sandboxed ? ', in the sandbox' : ''}`,
    ...(paths.length === 0 ? [] : [`  ${access}s ${paths.map(foreignLine).join(', ')}`]),
    ...untrusted.map(
      (own) =>
        `  What ${foreignLine(own)} brings was left out: nobody trusts it. See: ${program} trust ${quoted(own)}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
