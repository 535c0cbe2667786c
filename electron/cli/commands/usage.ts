import { oneLine } from '../../../shared/base/visible-text.ts';
import { formatUsd } from '../../../shared/domain/budget.ts';
import {
  type RaiseBody,
  raiseAnswerSchema,
  type UsageAnswer,
  usageAnswerSchema,
  type UsageSumView,
} from '../../../shared/protocol/bridge.ts';
import type { Arguments, RunCommand } from '../arguments/command-spec.ts';
import { ask, get } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { printJson, printText } from '../output/print.ts';
import { table } from '../output/table.ts';
import { newUuid } from '../send/new-uuid.ts';

function count(tokens: number): string {
  return tokens.toLocaleString('en-US');
}

/** Of what was read, the part that came from the provider's prompt cache. */
function cacheShare({ inputTokens, cacheReadTokens, cacheWriteTokens }: UsageSumView): string {
  const read = inputTokens + cacheReadTokens + cacheWriteTokens;
  return read === 0 ? '-' : `${Math.round((100 * cacheReadTokens) / read)}% cached`;
}

function inputOf(sum: UsageSumView): number {
  return sum.inputTokens + sum.cacheReadTokens + sum.cacheWriteTokens;
}

/** What no price is known for must not look free. */
function money({ microUsd, unpriced }: UsageSumView): string {
  if (unpriced === 0) return formatUsd(microUsd);
  return microUsd === 0 ? 'unknown' : `${formatUsd(microUsd)} + unknown`;
}

function unpricedOf({ groups }: UsageAnswer): number {
  return groups.reduce((sum, { unpriced }) => sum + unpriced, 0);
}

function unpricedLines(answer: UsageAnswer): string[] {
  const requests = unpricedOf(answer);
  if (requests === 0) return [];
  const what =
    requests === 1
      ? '1 request had no known price and does'
      : `${count(requests)} requests had no known price and do`;
  return [`${what} not count against money limits: set models.prices in settings.json.`];
}

function row(sum: UsageSumView): { text: string }[] {
  const open = sum.reservedTokens > 0 ? `+ ${formatUsd(sum.reservedMicroUsd)} reserved` : '';
  return [
    { text: oneLine(sum.name ?? sum.key, 80) },
    { text: `${count(sum.requests)} ${sum.requests === 1 ? 'request' : 'requests'}` },
    { text: `${count(inputOf(sum))} in` },
    { text: `${count(sum.outputTokens)} out` },
    { text: cacheShare(sum) },
    { text: money(sum) },
    { text: open },
  ];
}

function limitLines({ limits, spent, session }: UsageAnswer, program: string): string[] {
  const { dayMicroUsd, totalMicroUsd, sessionMicroUsd, sessionDayTokens } = limits;
  const day = dayMicroUsd === null ? 'no limit' : `of ${formatUsd(dayMicroUsd)}`;
  const lines = [`Today: ${formatUsd(spent.dayMicroUsd)} ${day} (reserved money counts).`];
  if (totalMicroUsd !== null)
    lines.push(`Ever: ${formatUsd(spent.totalMicroUsd)} of ${formatUsd(totalMicroUsd)}.`);
  if (sessionMicroUsd !== null)
    lines.push(
      `${session === null ? 'Each session' : 'This session'} may cost ${formatUsd(sessionMicroUsd)}.`,
    );
  if (sessionDayTokens !== null) lines.push(`Each session may take ${count(sessionDayTokens)} tokens a day.`);
  if (dayMicroUsd !== null) lines.push(`Raise today's limit with: ${program} usage raise DOLLARS`);
  return lines;
}

function usageText(context: CliContext, answer: UsageAnswer): string {
  const since = answer.sinceDay === answer.today ? 'today' : `since ${answer.sinceDay}`;
  const rows =
    answer.groups.length === 0
      ? `No model was asked ${since}.\n`
      : table(
          answer.groups.map((sum) => row(sum)),
          context.stdout.columns,
        );
  return `${rows}${[...limitLines(answer, context.program), ...unpricedLines(answer)].join('\n')}\n`;
}

const dollars = (micro: number | null): number | null => (micro === null ? null : micro / 1_000_000);

/** For scripts: money in dollars. */
function usageFacts(answer: UsageAnswer): unknown {
  const { groups, limits, spent, ...rest } = answer;
  return {
    ...rest,
    groups: groups.map(({ microUsd, reservedMicroUsd, ...sum }) => ({
      ...sum,
      usd: dollars(microUsd),
      reservedUsd: dollars(reservedMicroUsd),
    })),
    limits: {
      dayUsd: dollars(limits.dayMicroUsd),
      sessionDayTokens: limits.sessionDayTokens,
      sessionUsd: dollars(limits.sessionMicroUsd),
      totalUsd: dollars(limits.totalMicroUsd),
    },
    unpriced: unpricedOf(answer),
    spent: { dayUsd: dollars(spent.dayMicroUsd), totalUsd: dollars(spent.totalMicroUsd) },
  };
}

/** `kairos usage`: tokens and money by day, session, model, cause or purpose, with the limits. */
export const show: RunCommand = async (context, args) => {
  const days = args.number('days') ?? 1;
  if (!Number.isInteger(days) || days > 366)
    throw usageFailure('--days takes a whole number up to 366.', 'For example: kairos usage --days 7');
  const query = new URLSearchParams({
    days: String(days),
    by: args.text('by') ?? (days > 1 ? 'day' : 'model'),
  });
  const session = args.text('session');
  if (session !== undefined) query.set('session', session);
  const answer = await get(context, `/usage?${query}`, usageAnswerSchema);
  return args.flag('json')
    ? printJson(context, usageFacts(answer))
    : printText(context, usageText(context, answer));
};

function limitOf(args: Arguments): RaiseBody['limit'] {
  const session = args.text('session') !== undefined;
  if (args.flag('total') && (session || args.flag('tokens')))
    throw usageFailure('--total goes with no other option.', 'For example: kairos usage raise 20 --total');
  if (args.flag('total')) return 'total';
  if (args.flag('tokens') && !session)
    throw usageFailure(
      '--tokens needs --session NAME.',
      'For example: kairos usage raise 500000 --tokens --session shop',
    );
  if (args.flag('tokens')) return 'tokens';
  return session ? 'session' : 'day';
}

const words: Record<RaiseBody['limit'], string> = {
  day: "Today's limit is now",
  tokens: "The session's tokens of today are now",
  session: "The session's limit is now",
  total: 'The limit over all time is now',
};

/** `kairos usage raise AMOUNT`: what the limit had stopped goes on. */
export const raise: RunCommand = async (context, args) => {
  const limit = limitOf(args);
  const typed = args.required(0).replace(/^\$/, '');
  const by = Number(typed);
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(typed) || by <= 0 || (limit === 'tokens' && !Number.isInteger(by)))
    throw usageFailure('AMOUNT has to be a number above 0.', 'For example: kairos usage raise 5');
  const session = args.text('session');
  const body = { limit, by, uuid: newUuid(context.ids), ...(session === undefined ? {} : { session }) };
  const request = { method: 'POST', path: '/usage/raise', body, repeatable: true } as const;
  const { value: answer } = await ask(context, request, raiseAnswerSchema);
  const isTokens = limit === 'tokens';
  if (args.flag('json')) {
    const most = isTokens ? { tokens: answer.most } : { usd: dollars(answer.most) };
    return printJson(context, { limit, ...most, unparked: answer.unparked });
  }
  const going = answer.unparked.length;
  const goOn = going === 0 ? '' : ` ${going === 1 ? 'One session goes' : `${going} sessions go`} on.`;
  return printText(
    context,
    `${words[limit]} ${isTokens ? count(answer.most) : formatUsd(answer.most)}.${goOn}`,
  );
};
