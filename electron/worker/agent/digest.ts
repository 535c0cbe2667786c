import { isObject } from '../../../shared/base/json.ts';
import { quotedText } from '../../../shared/base/quoted-text.ts';
import { oneLine } from '../../../shared/base/visible-text.ts';
import type { CallPart, CallResult, ContextMessage } from '../../../shared/domain/messages.ts';
import { clipTokens, textTokens } from './tokens.ts';

interface Call {
  readonly part: CallPart;
  readonly result: CallResult | null;
}

/** Tools whose calls change a file, and those that only look. */
const writers: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/**
 * A summary without a model: deterministic, and never longer than `most` tokens. What was summed up before comes first, then
 * what people asked, files, commands with what came of them, what is still to do, what was said and seen last.
 */
export function digest(messages: readonly ContextMessage[], earlier: string | null, most: number): string {
  const calls = callsOf(messages);
  const sections = [
    section(
      'What was summed up before',
      earlier === null ? [] : [clipTokens(earlier, most * 0.35, 'cut')],
      most,
    ),
    section('What people wrote', personLines(messages, earlier === null), most * 0.3),
    section('Background tasks that ended', taskLines(messages), most * 0.05),
    section(
      'Files changed',
      filesOf(calls, (tool) => writers.has(tool)),
      most * 0.1,
    ),
    section(
      'Files read',
      filesOf(calls, (tool) => tool === 'Read'),
      most * 0.05,
    ),
    section('Commands run', commandLines(calls), most * 0.15),
    section('Open items', todoLines(calls), most * 0.1),
    section('Last words of yours', saidLines(messages), most * 0.1),
    section('Last results', resultLines(calls), most * 0.15),
  ];
  return clipTokens(sections.filter((text) => text !== '').join('\n\n'), most, 'cut');
}

/** Newest lines win where not all fit; the first line always stays, as it is what the session began with. */
function section(title: string, lines: readonly string[], most: number): string {
  const [first, ...rest] = lines;
  if (first === undefined) return '';
  let left = most - textTokens(first);
  const kept: string[] = [];
  for (const line of rest.toReversed()) {
    left -= textTokens(line) + 1;
    if (left < 0) break;
    kept.unshift(line);
  }
  const gap = kept.length < rest.length ? [`- (${rest.length - kept.length} more are left out here)`] : [];
  return [`## ${title}`, first, ...gap, ...kept].join('\n');
}

function personLines(messages: readonly ContextMessage[], isFirst: boolean): string[] {
  const texts = messages.flatMap((message) =>
    message.role === 'user' && message.ref !== undefined ? [{ ref: message.ref, text: message.text }] : [],
  );
  return texts.map(({ ref, text }, index) =>
    isFirst && index === 0
      ? `- ${ref}, the first request:\n${quotedText(clipTokens(text, 400, 'cut'))}`
      : `- ${ref}: "${oneLine(text, 300)}"`,
  );
}

function taskLines(messages: readonly ContextMessage[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'user' && message.wake === 'task_ended' ? [`- "${oneLine(message.text, 300)}"`] : [],
  );
}

function filesOf(calls: readonly Call[], wanted: (tool: string) => boolean): string[] {
  const files = calls.flatMap(({ part, result }) => {
    const path = stringMember(part.input, 'file_path');
    return wanted(part.tool) && path !== null && result?.outcome === 'ok' ? [path] : [];
  });
  // The last touch counts for the order.
  return [...new Set(files.toReversed())].toReversed().map((path) => `- ${oneLine(path, 200)}`);
}

function commandLines(calls: readonly Call[]): string[] {
  return calls.flatMap(({ part, result }) => {
    const command = part.tool === 'Bash' ? stringMember(part.input, 'command') : null;
    if (command === null) return [];
    const said = result === null || result.output.trim() === '' ? '' : `: "${oneLine(result.output, 80)}"`;
    return [`- "${oneLine(command, 160)}" -> ${result?.outcome ?? 'no result'}${said}`];
  });
}

function todoLines(calls: readonly Call[]): string[] {
  const last = calls.findLast(({ part, result }) => part.tool === 'TodoWrite' && result?.outcome === 'ok');
  const todos = isObject(last?.part.input) ? last.part.input.todos : null;
  if (!Array.isArray(todos)) return [];
  return todos.flatMap((todo: unknown) => {
    const text = stringMember(todo, 'content') ?? stringMember(todo, 'text');
    const state = stringMember(todo, 'status') ?? stringMember(todo, 'state') ?? 'pending';
    return text === null || state === 'completed' ? [] : [`- (${state}) ${oneLine(text, 200)}`];
  });
}

function saidLines(messages: readonly ContextMessage[]): string[] {
  const said = messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.reply.parts.flatMap((part) => {
          if (part.type === 'text') return [part.text];
          const sent =
            part.type === 'call' && part.tool === 'SendUserMessage'
              ? stringMember(part.input, 'message')
              : null;
          return sent === null ? [] : [sent];
        })
      : [],
  );
  return said
    .filter((text) => text.trim() !== '')
    .slice(-3)
    .map((text) => `- "${oneLine(text, 400)}"`);
}

function resultLines(calls: readonly Call[]): string[] {
  return calls
    .filter(({ part, result }) => result !== null && part.tool !== 'SendUserMessage')
    .slice(-3)
    .map(
      ({ part, result }) =>
        `- ${part.tool} (${result?.outcome}):\n${quotedText(clipTokens(result?.output ?? '', 250, 'cut'))}`,
    );
}

function callsOf(messages: readonly ContextMessage[]): Call[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === 'result' ? [[message.call, message.result] as const] : [],
    ),
  );
  return messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.reply.parts.flatMap((part) =>
          part.type === 'call' ? [{ part, result: results.get(part.id) ?? null }] : [],
        )
      : [],
  );
}

function stringMember(value: unknown, name: string): string | null {
  const member = isObject(value) ? value[name] : undefined;
  return typeof member === 'string' ? member : null;
}
