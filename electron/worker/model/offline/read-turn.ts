import type { CallPart, CallResult, ContextMessage } from '../../../../shared/domain/messages.ts';
import type { Command } from './commands.ts';
import { parseLine } from './parse-line.ts';
import { toCall } from './to-call.ts';

/** A command with where it stands and what came of it. */
export interface Line {
  readonly command: Command;
  /** Empty for what Kairos itself said. */
  readonly ref: string;
  /** Index of its message in the context. */
  readonly at: number;
  /** null: not asked for yet, or needs no call. */
  readonly result: CallResult | null;
}

/** What the context of a turn says about how far the engine is. */
export interface TurnState {
  readonly lines: readonly Line[];
  /** The first command whose call was not made yet. */
  readonly pending: { readonly tool: string; readonly input: unknown } | null;
  /** Lines that no delivered message has told about. */
  readonly untold: readonly Line[];
  /** A message was refused, or the person was not reached: the rest is said as plain text. */
  readonly sayPlainly: boolean;
}

const send = 'SendUserMessage';

/** Reads the state of the turn out of its messages alone. */
export function readTurn(messages: readonly ContextMessage[]): TurnState {
  const calls = callsOf(messages);
  const results = resultsOf(messages);
  const made = calls.filter(({ part }) => part.tool !== send);
  const found = messages.flatMap((message, at) => linesOf(message, at));
  let next = 0;
  let pending: TurnState['pending'] = null;
  const lines = found.map((line): Line => {
    const call = toCall(line.command);
    if (call === null) return { ...line, result: null };
    const part = made[next]?.part;
    next += 1;
    if (part === undefined) pending ??= call;
    return { ...line, result: part === undefined ? null : (results.get(part.id) ?? null) };
  });
  const sent = calls.filter(({ part }) => part.tool === send);
  const told = sent.findLast(({ part }) => results.get(part.id)?.outcome === 'ok')?.at ?? -1;
  const nudged = messages.some((message, at) => message.role === 'user' && isNudge(message) && at > told);
  const refused = sent.some(({ part, at }) => at > told && results.get(part.id)?.outcome !== 'ok');
  const untold = nudged ? lines : lines.filter((line) => line.at > told);
  return { lines, pending, untold, sayPlainly: nudged || refused };
}

function isNudge({ ref, wake }: Extract<ContextMessage, { role: 'user' }>): boolean {
  return ref === undefined && wake === undefined;
}

function linesOf(message: ContextMessage, at: number): Omit<Line, 'result'>[] {
  if (message.role !== 'user' || isNudge(message)) return [];
  const { text, ref = '' } = message;
  if (message.wake === 'task_ended') return [{ command: { kind: 'notice', language: 'en', text }, ref, at }];
  const commands = text.split(/\r\n|\r|\n/).flatMap((line) => parseLine(line) ?? []);
  const said: readonly Command[] =
    commands.length > 0 ? commands : [{ kind: 'other', language: 'en', text: '' }];
  return said.map((command) => ({ command, ref, at }));
}

function callsOf(messages: readonly ContextMessage[]): { readonly part: CallPart; readonly at: number }[] {
  return messages.flatMap((message, at) =>
    message.role === 'assistant'
      ? message.reply.parts.flatMap((part) => (part.type === 'call' ? [{ part, at }] : []))
      : [],
  );
}

function resultsOf(messages: readonly ContextMessage[]): Map<string, CallResult> {
  const results = messages.flatMap((message) => (message.role === 'result' ? [message] : []));
  return new Map(results.map((message) => [message.call, message.result]));
}
