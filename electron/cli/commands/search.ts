import { oneLine } from '../../../shared/base/visible-text.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { hitsAnswerSchema, sessionsAnswerSchema } from '../bridge/answers.ts';
import { get } from '../bridge/client.ts';
import type { CliContext } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { painter } from '../output/paint.ts';
import { printJson, printText } from '../output/print.ts';
import { isoTime, relativeTime } from '../output/times.ts';

const defaultLimit = 20;

/** Names of all sessions by id, archived ones too. */
async function sessionNames(context: CliContext): Promise<ReadonlyMap<string, string>> {
  const lists = ['/sessions', '/sessions?archived=true'].map((path) =>
    get(context, path, sessionsAnswerSchema),
  );
  const sessions = (await Promise.all(lists)).flat();
  return new Map(sessions.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}

/** `kairos search TEXT`: messages of all sessions that contain it. */
export const run: RunCommand = async (context, args) => {
  const text = args.required(0);
  if (text.trim() === '')
    throw usageFailure('There is nothing to search for.', 'For example: kairos search invoice');
  const limit = Math.ceil(args.number('limit') ?? defaultLimit);
  const hits = await get(context, `/search?q=${encodeURIComponent(text)}&limit=${limit}`, hitsAnswerSchema);
  if (hits.length === 0)
    return args.flag('json') ? printJson(context, []) : printText(context, 'Nothing found.');
  const names = await sessionNames(context);
  if (args.flag('json'))
    return printJson(
      context,
      hits.map((hit) => ({ ...hit, name: names.get(hit.session) ?? null, at: isoTime(hit.at) })),
    );
  const paint = painter(context.stdout, context.env);
  const now = context.clock.now();
  const lines = hits.map(({ session, seq, at, text: found }) => {
    const name = names.get(session) ?? session;
    return `${paint('muted', `${foreignLine(name)} #${seq}, ${relativeTime(at, now)}`)}\n  ${oneLine(found, 300)}`;
  });
  return printText(context, lines.join('\n'));
};
