import { oneLine } from '../../../shared/base/visible-text.ts';
import type { RunCommand } from '../arguments/command-spec.ts';
import { hitsAnswerSchema } from '../bridge/answers.ts';
import { get } from '../bridge/client.ts';
import { usageFailure } from '../failure.ts';
import { foreignLine } from '../output/foreign-text.ts';
import { painter } from '../output/paint.ts';
import { printJson, printText } from '../output/print.ts';
import { isoTime, relativeTime } from '../output/times.ts';

const defaultLimit = 20;

/** `kairos search TEXT`: messages of all sessions that contain it. */
export const run: RunCommand = async (context, args) => {
  const text = args.required(0);
  if (text.trim() === '')
    throw usageFailure('There is nothing to search for.', 'For example: kairos search invoice');
  const limit = Math.ceil(args.number('limit') ?? defaultLimit);
  const hits = await get(context, `/search?q=${encodeURIComponent(text)}&limit=${limit}`, hitsAnswerSchema);
  if (args.flag('json'))
    return printJson(
      context,
      hits.map((hit) => ({ ...hit, at: isoTime(hit.at) })),
    );
  if (hits.length === 0) return printText(context, 'Nothing found.');
  const paint = painter(context.stdout, context.env);
  const now = context.clock.now();
  const lines = hits.map(({ session, seq, at, text: found }) => {
    return `${paint('muted', `${foreignLine(session)} #${seq}, ${relativeTime(at, now)}`)}\n  ${oneLine(found, 300)}`;
  });
  return printText(context, lines.join('\n'));
};
