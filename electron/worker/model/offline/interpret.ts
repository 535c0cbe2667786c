import type { ContextMessage, Reply } from '../../../../shared/domain/messages.ts';
import { readTurn, type TurnState } from './read-turn.ts';
import { report } from './report.ts';

/** Name in replies and settings. */
export const offlineModel = 'offline';

/**
 * The engine: the reply to the messages of one turn. One command is one call is one step; then what tells about all of them: in
 * `brief` mode a message and an empty reply that ends the turn, otherwise the text that ends it. Depends on nothing else, so the
 * same request gives the same reply.
 */
export function interpret(messages: readonly ContextMessage[], step: string, brief: boolean): Reply {
  const turn = readTurn(messages);
  if (turn.pending !== null) return call(step, turn.pending.tool, turn.pending.input);
  if (turn.untold.length === 0) return { model: offlineModel, parts: [], stop: 'end' };
  const text = report(turn.untold);
  if (turn.sayPlainly || !brief) return { model: offlineModel, parts: [{ type: 'text', text }], stop: 'end' };
  return call(step, 'SendUserMessage', { message: text, status: 'normal', ...replyTo(turn) });
}

/** Said only where it is not obvious: when messages of several refs are answered together. */
function replyTo({ untold }: TurnState): { readonly in_reply_to?: string } {
  const asked = untold.filter(({ command }) => command.kind !== 'notice');
  const newest = asked.at(-1)?.ref;
  const several = new Set(asked.map((line) => line.ref)).size > 1;
  return several && newest !== undefined ? { in_reply_to: newest } : {};
}

function call(step: string, tool: string, input: unknown): Reply {
  const id = `cal_${step.replace(/^stp_/, '')}_0`;
  return { model: offlineModel, parts: [{ type: 'call', id, tool, input }], stop: 'calls' };
}
